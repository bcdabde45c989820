package dev.deadline.benchmarks.load;

import java.util.ArrayList;
import java.util.List;

/**
 * How much is asked for in the course of a run.
 *
 * @param name of the cell
 * @param phases one after another
 * @param burst how many requests come at once every two seconds, on top of the phases
 * @param measuredFromSeconds when the warm-up ends
 */
record LoadShape(String name, List<Phase> phases, int burst, double measuredFromSeconds) {

    private static final String ONSET = "onset-";

    private static final double WARM_UP_SECONDS = 3;

    private static final double MEASURED_SECONDS = 8;

    private static final double BURST_PERIOD_SECONDS = 2;

    /**
     * A stretch of time with one rate.
     *
     * @param seconds how long
     * @param factor of the capacity
     */
    record Phase(double seconds, double factor) {}

    /**
     * The shape with that name.
     *
     * @param name {@code burst}: half the capacity, and a hundred requests at once every two seconds; {@code recovery}:
     *     three times the capacity for 5 s, and what is measured is the time after that, at half the capacity; {@code
     *     onset-} and a number: that many times the capacity, all at once after a warm-up at half of it; a number: that
     *     many times the capacity, after a warm-up at the same load
     */
    static LoadShape named(String name) {
        if (name.startsWith(ONSET)) {
            double factor = Double.parseDouble(name.substring(ONSET.length()));
            return new LoadShape(
                    name,
                    List.of(new Phase(WARM_UP_SECONDS, 0.5), new Phase(MEASURED_SECONDS, factor)),
                    0,
                    WARM_UP_SECONDS);
        }
        return switch (name) {
            case "burst" -> new LoadShape(name, List.of(steady(0.5)), 100, WARM_UP_SECONDS);
            case "recovery" ->
                new LoadShape(
                        name,
                        List.of(new Phase(WARM_UP_SECONDS, 0.5), new Phase(5, 3), new Phase(MEASURED_SECONDS, 0.5)),
                        0,
                        WARM_UP_SECONDS + 5);
            default -> new LoadShape(name, List.of(steady(Double.parseDouble(name))), 0, WARM_UP_SECONDS);
        };
    }

    /** A load that never changes, whatever the capacity is. */
    static LoadShape constant(String name) {
        return new LoadShape(name, List.of(steady(1)), 0, WARM_UP_SECONDS);
    }

    private static Phase steady(double factor) {
        return new Phase(WARM_UP_SECONDS + MEASURED_SECONDS, factor);
    }

    double seconds() {
        return this.phases.stream().mapToDouble(Phase::seconds).sum();
    }

    double measuredSeconds() {
        return seconds() - this.measuredFromSeconds;
    }

    /** When bursts come, in seconds from the beginning. */
    List<Double> burstSeconds() {
        List<Double> times = new ArrayList<>();
        for (double at = BURST_PERIOD_SECONDS; this.burst > 0 && at < seconds(); at += BURST_PERIOD_SECONDS) {
            times.add(at);
        }
        return times;
    }
}
