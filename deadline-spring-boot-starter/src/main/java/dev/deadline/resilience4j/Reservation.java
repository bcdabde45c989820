package dev.deadline.resilience4j;

import io.github.resilience4j.ratelimiter.RateLimiter;

/** Permits of a rate limiter that come later, and can be given back until then. */
final class Reservation {

    private final RateLimiter limiter;

    private final int permits;

    private final long dueNanos;

    // The limiter counted from some moment between the two from which these count. The permits are not taken too early,
    // nor given back when the limiter has filled up again and they would be on top of its limit.
    private final long returnableNanos;

    /**
     * @param askedNanos when the limiter was about to be asked, of {@link System#nanoTime()}
     * @param waitNanos its answer: after which the permits are there
     */
    Reservation(RateLimiter limiter, int permits, long askedNanos, long waitNanos) {
        this.limiter = limiter;
        this.permits = permits;
        this.dueNanos = System.nanoTime() + waitNanos;
        this.returnableNanos = askedNanos + waitNanos;
    }

    /**
     * Gives the permits back, if they are still to come: later the limiter has counted them as used. Its consumers see
     * that as a success with a negative number of permits. To be called once.
     */
    void giveBack() {
        if (this.returnableNanos - System.nanoTime() > 0) {
            // There is no method for it, but reserving less than nothing is just that: it needs no wait that the
            // reservation did not need.
            this.limiter.reservePermission(-this.permits);
        }
    }

    /** Nanoseconds until the permits are there; not positive from then on. */
    long remainingNanos() {
        return this.dueNanos - System.nanoTime();
    }
}
