package dev.deadline.benchmarks;

import java.util.Arrays;
import java.util.concurrent.Callable;

/**
 * Compares two ways to do the same on a machine that others use too: blocks of one and of the other in turn, so that
 * what disturbs one disturbs its neighbour, and the median of the ratios of neighbours.
 */
final class PairedRun {

    private final int pairs;

    private final int callsPerBlock;

    PairedRun(int pairs, int callsPerBlock) {
        this.pairs = pairs;
        this.callsPerBlock = callsPerBlock;
    }

    /**
     * What came out.
     *
     * @param plainNanos median time of a plain call
     * @param overhead median of what the other took longer, as a share of the plain call
     * @param low lower bound of that at 95 % confidence
     * @param high upper bound
     */
    record Comparison(double plainNanos, double overhead, double low, double high) {

        @Override
        public String toString() {
            return "plain call %.1f us; overhead %+.2f %% (95 %%: %+.2f to %+.2f %%)"
                    .formatted(this.plainNanos / 1000, 100 * this.overhead, 100 * this.low, 100 * this.high);
        }
    }

    Comparison compare(Callable<?> plain, Callable<?> other) throws Exception {
        for (int block = 0; block < this.pairs; block++) {
            nanosPerCall(plain);
            nanosPerCall(other);
        }
        double[] plainNanos = new double[this.pairs];
        double[] overheads = new double[this.pairs];
        for (int pair = 0; pair < this.pairs; pair++) {
            boolean plainFirst = pair % 2 == 0;
            double before = nanosPerCall(plainFirst ? plain : other);
            double after = nanosPerCall(plainFirst ? other : plain);
            plainNanos[pair] = plainFirst ? before : after;
            overheads[pair] = (plainFirst ? after / before : before / after) - 1;
        }
        Arrays.sort(plainNanos);
        Arrays.sort(overheads);
        // The ranks between which the median of the population lies, by the binomial distribution.
        int off = (int) Math.ceil(0.98 * Math.sqrt(this.pairs));
        int middle = this.pairs / 2;
        return new Comparison(
                plainNanos[middle],
                overheads[middle],
                overheads[Math.max(0, middle - off)],
                overheads[Math.min(this.pairs - 1, middle + off)]);
    }

    private double nanosPerCall(Callable<?> call) throws Exception {
        long start = System.nanoTime();
        for (int i = 0; i < this.callsPerBlock; i++) {
            call.call();
        }
        return (System.nanoTime() - start) / (double) this.callsPerBlock;
    }
}
