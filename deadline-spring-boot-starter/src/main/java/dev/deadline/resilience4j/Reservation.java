package dev.deadline.resilience4j;

import io.github.resilience4j.ratelimiter.RateLimiter;
import java.util.concurrent.atomic.AtomicBoolean;

/** Permits of a rate limiter that come later, and can be given back until then. */
final class Reservation {

    private final RateLimiter limiter;

    private final int permits;

    private final long dueNanos;

    // Set by CAS: the end of the time and whoever waits may both want to give it back, and one of them does.
    private final AtomicBoolean returned = new AtomicBoolean();

    /**
     * @param waitNanos after which the permits are there
     */
    Reservation(RateLimiter limiter, int permits, long waitNanos) {
        this.limiter = limiter;
        this.permits = permits;
        this.dueNanos = System.nanoTime() + waitNanos;
    }

    /**
     * Gives the permits back, if they are still to come: later the limiter has counted them as used. Its consumers see
     * that as a success with a negative number of permits. Has no effect a second time.
     */
    void giveBack() {
        if (remainingNanos() > 0 && this.returned.compareAndSet(false, true)) {
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
