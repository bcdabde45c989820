package dev.deadline.benchmarks.load;

import dev.deadline.benchmarks.load.Traffic.Route;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;

/**
 * When each request of a run is to be sent, and to where: drawn beforehand, so that how the server does cannot change it.
 *
 * @param nanos from the beginning of the run, in order
 * @param routes one for each
 */
record Arrivals(long[] nanos, List<Route> routes) {

    /** Arrivals of a Poisson process whose rate is the capacity times what the shape says. */
    static Arrivals draw(LoadShape shape, Traffic traffic, double capacityPerSecond, long seed) {
        Random random = new Random(seed);
        DoubleStream.Builder seconds = DoubleStream.builder();
        double begin = 0;
        for (LoadShape.Phase phase : shape.phases()) {
            double end = begin + phase.seconds();
            double rate = capacityPerSecond * phase.factor();
            for (double at = begin + gap(rate, random); at < end; at += gap(rate, random)) {
                seconds.add(at);
            }
            begin = end;
        }
        for (double at : shape.burstSeconds()) {
            for (int i = 0; i < shape.burst(); i++) {
                seconds.add(at);
            }
        }
        long[] nanos =
                seconds.build().mapToLong(at -> (long) (at * 1_000_000_000L)).toArray();
        Arrays.sort(nanos);
        return new Arrivals(nanos, traffic.draw(nanos.length, random));
    }

    int count() {
        return this.nanos.length;
    }

    private static double gap(double rate, Random random) {
        return -Math.log(1 - random.nextDouble()) / rate;
    }
}
