package dev.deadline.gateway;

import dev.deadline.engine.MonotonicClock;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps requests from asking a store that has just failed: for a second nobody asks, then one does, and only if that one
 * has success do the others again. Thread-safe.
 */
final class StorePause {

    private static final long NONE = 0;

    private static final long LENGTH = 1_000_000_000;

    private final MonotonicClock clock;

    // Exchanged in one step: of several threads that begin or end a pause at the same time one knows that it did.
    private final AtomicLong end = new AtomicLong(NONE);

    StorePause(MonotonicClock clock) {
        this.clock = clock;
    }

    boolean isOn() {
        return this.end.get() != NONE;
    }

    /** Whether the calling thread may ask the store now. */
    boolean mayAsk() {
        long until = this.end.get();
        if (until == NONE) {
            return true;
        }
        // Of all the threads that find the pause over, the one whose step succeeds asks, and the others go on without.
        return this.clock.nanoTime() - until >= 0 && this.end.compareAndSet(until, pauseFromNow());
    }

    /** The store failed; whether it was well before. */
    boolean failed() {
        return this.end.getAndSet(pauseFromNow()) == NONE;
    }

    /** The store answered; whether that ended a pause. */
    boolean answered() {
        return isOn() && this.end.getAndSet(NONE) != NONE;
    }

    private long pauseFromNow() {
        return (this.clock.nanoTime() + LENGTH) | 1;
    }
}
