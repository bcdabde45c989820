package dev.deadline.gateway;

import dev.deadline.Priority;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The requests that are inside, and whether they are too many: by Little's law one more would take as long as there are
 * requests inside, divided by the rate at which they are served. That may be a certain part of a budget. The part
 * becomes smaller as soon as requests are late, and grows while none is, so that a service that takes long by nature, and
 * is in time all the same, is left alone.
 */
final class Crowd {

    private static final int ALWAYS_LET_IN = 32;

    // Where nothing has taken a good part of a budget lately, nothing waits either.
    private static final double SLOW = 0.25;

    private static final int LEAST_PERCENT = 70;

    private static final int MOST_PERCENT = 90;

    private static final int STEP_PERCENT = 1;

    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    // One in fifty. A single slow request among many is not a crowd.
    private static final int LATE_OF = 50;

    private final Flow flow;

    // May pass its bound by as many as decide at the same moment, which is fewer than there are processors.
    private final AtomicInteger inside = new AtomicInteger();

    // Both volatile, to be seen by all threads, and written without comparing: those that take a step at the same
    // moment write the same, and a step too many or too few changes next to nothing.
    private volatile int percent = MOST_PERCENT;

    private volatile long lastStep;

    Crowd(Flow flow) {
        this.flow = flow;
    }

    void entered() {
        this.inside.incrementAndGet();
    }

    void left() {
        this.inside.decrementAndGet();
    }

    /** One that was inside was not answered in time. */
    void late(long now) {
        if (this.flow.isLate(now, LATE_OF)) {
            this.lastStep = now;
            this.percent = LEAST_PERCENT;
        }
    }

    int size() {
        return this.inside.get();
    }

    /** Whether one more with this budget is too many. */
    boolean isTooLarge(long now, long budgetNanos, Priority priority) {
        int size = this.inside.get();
        return size >= ALWAYS_LET_IN
                && size >= this.flow.servedAtMost(now, (long) (share(now, priority) * budgetNanos))
                && this.flow.meanInsideNanos(now) > SLOW * budgetNanos;
    }

    private double share(long now, Priority priority) {
        return percent(now)
                / 100.0
                * switch (priority) {
                    case CRITICAL -> 1.2;
                    case DEFAULT -> 1.0;
                    case SHEDDABLE -> 0.6;
                };
    }

    private int percent(long now) {
        int known = this.percent;
        long steps = (now - this.lastStep) / STEP_NANOS;
        if (known < MOST_PERCENT && steps > 0) {
            this.lastStep = now;
            known = (int) Math.min(MOST_PERCENT, known + steps * STEP_PERCENT);
            this.percent = known;
        }
        return known;
    }
}
