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

    // Some seconds, for a few threads that are busy for that long.
    private static final int SLOTS = 128;

    private final RecentSlots taken = new RecentSlots(SLOT_NANOS, SLOTS);

    private final RecentSlots turnedAway = new RecentSlots(SLOT_NANOS, SLOTS);

    private final RecentSlots waiting = new RecentSlots(SLOT_NANOS, SLOTS);

    private final RecentSlots served = new RecentSlots(SLOT_NANOS, SLOTS);

    private final RecentSlots insideMicros = new RecentSlots(SLOT_NANOS, 16);

    private final RecentSlots late = new RecentSlots(SLOT_NANOS, 16);

    private final RecentSlots rate = new RecentSlots(RATE_SLOT_NANOS, 16);

    /** A thread has found so many more in the queue than the one that it took up; 0 if that is not known. */
    void waiting(long now, int queued) {
        this.waiting.begin(now, queued + 1);
    }

    /** A thread has taken up a request. */
    void taken(long now) {
        this.taken.add(now, 1);
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
        // A few threads with long work take nothing for a while. What came in since is known from when they last did;
        // what was served then, when all of them were ready at once, belongs to the time before.
        int back = this.waiting.lastNoted(now, SLOTS_BACK);
        long taken = this.taken.sum(now, back) - this.turnedAway.sum(now, back);
        long arrived = taken + queued - this.waiting.at(now, back);
        return arrived < this.served.sum(now, (back > SLOTS_BACK) ? back - 1 : back);
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
