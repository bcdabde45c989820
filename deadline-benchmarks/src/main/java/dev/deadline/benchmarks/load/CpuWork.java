package dev.deadline.benchmarks.load;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;

/**
 * Computing that takes a known processor time. Its main method prints how many rounds take a millisecond on the
 * processor it runs on; all servers of a run get the same number, so that they do the same work.
 */
final class CpuWork {

    private static final int SAMPLES = 15;

    private static final int ROUNDS = 2_000_000;

    private CpuWork() {}

    public static void main(String[] args) {
        System.out.println(roundsPerMillisecond());
    }

    /** Turns a number over so many times. */
    static long compute(long rounds, long seed) {
        long value = seed | 1;
        for (long i = 0; i < rounds; i++) {
            value ^= value << 13;
            value ^= value >>> 7;
            value ^= value << 17;
        }
        return value;
    }

    /** How many rounds take a millisecond once they are compiled: the best of some samples. */
    static long roundsPerMillisecond() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        long value = 1;
        for (int i = 0; i < SAMPLES; i++) {
            long start = threads.getCurrentThreadCpuTime();
            value = compute(ROUNDS, value);
            least = Math.min(least, threads.getCurrentThreadCpuTime() - start);
        }
        if (value == 0) {
            throw new IllegalStateException("An xorshift never becomes zero");
        }
        return ROUNDS * TimeUnit.MILLISECONDS.toNanos(1) / least;
    }
}
