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
     * @param warmUpSeconds before anything is measured
     */
    static LoadShape named(String name, double warmUpSeconds) {
        if (name.startsWith(ONSET)) {
            double factor = Double.parseDouble(name.substring(ONSET.length()));
            return new LoadShape(
                    name,
                    List.of(new Phase(warmUpSeconds, 0.5), new Phase(MEASURED_SECONDS, factor)),
                    0,
                    warmUpSeconds);
        }
        return switch (name) {
            case "burst" -> new LoadShape(name, List.of(steady(0.5, warmUpSeconds)), 100, warmUpSeconds);
            case "recovery" ->
                new LoadShape(
                        name,
                        List.of(new Phase(warmUpSeconds, 0.5), new Phase(5, 3), new Phase(MEASURED_SECONDS, 0.5)),
                        0,
                        warmUpSeconds + 5);
            default -> new LoadShape(name, List.of(steady(Double.parseDouble(name), warmUpSeconds)), 0, warmUpSeconds);
        };
    }

    private static Phase steady(double factor, double warmUpSeconds) {
        return new Phase(warmUpSeconds + MEASURED_SECONDS, factor);
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
