package dev.deadline.gateway;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * How long requests of one kind take once they are let in. Kinds are told apart by a hash, so that there is a fixed
 * number of them whatever clients send; where two fall together, the shorter times count.
 *
 * <p>Lock-free and approximate: a count that is lost when another thread halves them at the same moment changes nothing.
 */
final class ServiceTimes {

    private static final int KINDS = 256;

    // Two for each doubling, from a quarter of a millisecond to somewhat more than eight seconds.
    private static final int BUCKETS = 32;

    private static final int SHORTEST_BITS = 18;

    private static final int FEWEST = 50;

    private static final int MOST = 1_000;

    private final AtomicIntegerArray counts = new AtomicIntegerArray(KINDS * BUCKETS);

    private final AtomicIntegerArray totals = new AtomicIntegerArray(KINDS);

    /** A request of this kind has been served. */
    void record(int hash, long nanos) {
        int kind = kind(hash);
        this.counts.incrementAndGet(kind * BUCKETS + bucket(nanos));
        // Exactly one thread gets this number, and halves.
        if (this.totals.incrementAndGet(kind) == MOST) {
            forgetHalf(kind);
        }
    }

    private void forgetHalf(int kind) {
        int total = 0;
        for (int i = kind * BUCKETS; i < (kind + 1) * BUCKETS; i++) {
            total += this.counts.updateAndGet(i, count -> count / 2);
        }
        this.totals.set(kind, total);
    }

    /**
     * What three of four requests of this kind take at least; 0 if too few have been seen. A low value on purpose: while
     * much is under way everything takes long, and that must not keep out what would be quick once it is less.
     */
    long expectedNanos(int hash) {
        int kind = kind(hash);
        int total = this.totals.get(kind);
        if (total < FEWEST) {
            return 0;
        }
        int seen = 0;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            seen += this.counts.get(kind * BUCKETS + bucket);
            if (seen * 4L >= total) {
                return lowerEdge(bucket);
            }
        }
        return 0;
    }

    private static int kind(int hash) {
        return (hash ^ (hash >>> 8) ^ (hash >>> 16) ^ (hash >>> 24)) & (KINDS - 1);
    }

    private static int bucket(long nanos) {
        int bits = 63 - Long.numberOfLeadingZeros(Math.max(nanos, 1));
        int upperHalf = (bits > 0) ? (int) (nanos >>> (bits - 1)) & 1 : 0;
        return Math.max(0, Math.min(BUCKETS - 1, 2 * (bits - SHORTEST_BITS) + upperHalf));
    }

    private static long lowerEdge(int bucket) {
        if (bucket == 0) {
            return 0;
        }
        long whole = 1L << (bucket / 2 + SHORTEST_BITS);
        return (bucket % 2 == 0) ? whole : whole + whole / 2;
    }
}
