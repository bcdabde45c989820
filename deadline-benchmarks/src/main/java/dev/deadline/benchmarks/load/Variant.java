package dev.deadline.benchmarks.load;

import java.util.List;
import java.util.Locale;

/** What stands in front of the handler. */
enum Variant {

    /** Nothing, as if the library were not there. */
    BARE("--deadline.enabled=false"),

    /** Netflix's limiter with a limit of that kind, in the first filter. */
    GRADIENT2("--deadline.enabled=false", "--load.limit=gradient2"),

    /** As above. */
    AIMD("--deadline.enabled=false", "--load.limit=aimd"),

    /** As above. */
    VEGAS("--deadline.enabled=false", "--load.limit=vegas"),

    /** The gate, which refuses. */
    DEADLINE("--deadline.budget=500ms", "--deadline.gateway.shedding.mode=enforce"),

    /** The budget alone: the gate only looks on. */
    DEADLINE_OBSERVE("--deadline.budget=500ms", "--deadline.gateway.shedding.mode=observe"),

    /** The gate, which refuses everything, since nothing can be answered in a nanosecond: for what a refusal costs. */
    DEADLINE_REFUSING(
            "--deadline.budget=500ms",
            "--deadline.gateway.shedding.mode=enforce",
            "--deadline.gateway.shedding.objective=1ns");

    private final List<String> settings;

    Variant(String... settings) {
        this.settings = List.of(settings);
    }

    /** Arguments of the {@link LoadServer}. */
    List<String> settings() {
        return this.settings;
    }

    /** Whether the library is there. */
    boolean hasLibrary() {
        return !this.settings.contains("--deadline.enabled=false");
    }

    /** As on the command line and in the results. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
