package dev.deadline.sample.upstream;

import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.SignalType;

/** Counts the calls of one upstream. */
final class Traffic {

    private final AtomicInteger started = new AtomicInteger();

    private final AtomicInteger completed = new AtomicInteger();

    private final AtomicInteger abandoned = new AtomicInteger();

    void started() {
        this.started.incrementAndGet();
    }

    /** The answer was given to the end, or the client closed the connection before. */
    void ended(SignalType end) {
        ((end == SignalType.ON_COMPLETE) ? this.completed : this.abandoned).incrementAndGet();
    }

    String toJson() {
        // Ends before starts: a call that comes in between is in flight rather than less than nothing.
        int completed = this.completed.get();
        int abandoned = this.abandoned.get();
        int started = this.started.get();
        return "{\"started\":%d,\"completed\":%d,\"abandoned\":%d,\"inFlight\":%d}"
                .formatted(started, completed, abandoned, started - completed - abandoned);
    }
}
