package dev.deadline.gateway;

import java.util.concurrent.TimeUnit;

/**
 * What has come in and what has been served in time, over the last quarter of a second, and the largest rate of the last
 * three seconds. Lock-free.
 */
final class Flow {

    private static final long SLOT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final int SLOTS_BACK = 5;

    private static final long RATE_SLOT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final int RATE_SLOTS_BACK = 12;

    private final RecentSlots taken = new RecentSlots(SLOT_NANOS, 16);

    private final RecentSlots turnedAway = new RecentSlots(SLOT_NANOS, 16);

    private final RecentSlots waiting = new RecentSlots(SLOT_NANOS, 16);

    private final RecentSlots served = new RecentSlots(SLOT_NANOS, 16);

    private final RecentSlots insideMicros = new RecentSlots(SLOT_NANOS, 16);

    private final RecentSlots late = new RecentSlots(SLOT_NANOS, 16);

    private final RecentSlots rate = new RecentSlots(RATE_SLOT_NANOS, 16);

    /**
     * A request has been taken out of the queue.
     *
     * @param queued how many wait there still; 0 if that is not known
     */
    void taken(long now, int queued) {
        this.taken.add(now, 1);
        this.waiting.begin(now, queued);
    }

    /** A request that was let in has been refused further in: as if it had not come. */
    void turnedAway(long now) {
        this.turnedAway.add(now, 1);
    }

    /**
     * A request has been served in time.
     *
     * @param nanos how long that took from the gate on
     */
    void served(long now, long nanos) {
        this.served.add(now, 1);
        this.insideMicros.add(now, TimeUnit.NANOSECONDS.toMicros(nanos));
        this.rate.add(now, 1);
    }

    /**
     * A request was let in and has not been answered in time.
     *
     * @param nanos how long it was inside
     */
    void late(long now, long nanos) {
        this.late.add(now, 1);
        this.insideMicros.add(now, TimeUnit.NANOSECONDS.toMicros(nanos));
    }

    /** Whether of so many that have ended lately more than one was late. */
    boolean isLate(long now, int of) {
        long late = this.late.sum(now, SLOTS_BACK);
        return late * of > late + this.served.sum(now, SLOTS_BACK);
    }

    /**
     * Whether less comes in than is served. What has been refused is not served: it must not look as if that had helped.
     *
     * @param queued how many wait in the queue; 0 if that is not known
     */
    boolean isDraining(long now, int queued) {
        long taken = this.taken.sum(now, SLOTS_BACK) - this.turnedAway.sum(now, SLOTS_BACK);
        long arrived = taken + queued - this.waiting.at(now, SLOTS_BACK);
        return arrived < this.served.sum(now, SLOTS_BACK);
    }

    /** How long those were inside on average that have left lately, in time or not; 0 if there are none. */
    long meanInsideNanos(long now) {
        long count = this.served.sum(now, SLOTS_BACK) + this.late.sum(now, SLOTS_BACK);
        return (count == 0) ? 0 : TimeUnit.MICROSECONDS.toNanos(this.insideMicros.sum(now, SLOTS_BACK)) / count;
    }

    /** How many are served in so much time when it is most. */
    double servedAtMost(long now, long nanos) {
        return (double) this.rate.largest(now, RATE_SLOTS_BACK) * nanos / RATE_SLOT_NANOS;
    }
}
