package dev.deadline.gateway;

import dev.deadline.engine.MonotonicClock;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps requests from asking a store that is away: for a second nobody asks, then one does, and only if that one has
 * success do the others again. A request that failed while another had its answer says nothing of the kind. Thread-safe.
 */
final class StorePause {

    private static final long NONE = 0;

    private static final long LENGTH = 1_000_000_000;

    private final MonotonicClock clock;

    // Exchanged in one step: of several threads that begin or end a pause at the same time one knows that it did.
    private final AtomicLong end = new AtomicLong(NONE);

    // Volatile, as it is for other threads to see; that of two the later writes the earlier time does no harm.
    private volatile long lastAnswer;

    StorePause(MonotonicClock clock) {
        this.clock = clock;
        this.lastAnswer = clock.nanoTime();
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

    /**
     * The store failed.
     *
     * @param askedNanos when it was asked
     * @return whether that began a pause: not if there is one, nor if the store has answered another request since
     */
    boolean failed(long askedNanos) {
        return this.lastAnswer - askedNanos <= 0 && this.end.getAndSet(pauseFromNow()) == NONE;
    }

    /** The store answered; whether that ended a pause. */
    boolean answered() {
        this.lastAnswer = this.clock.nanoTime();
        return isOn() && this.end.getAndSet(NONE) != NONE;
    }

    private long pauseFromNow() {
        return (this.clock.nanoTime() + LENGTH) | 1;
    }
}
