package dev.deadline.report;

import dev.deadline.engine.MonotonicClock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes at once what happens after a quiet second, and what follows together, when the second is over. Thread-safe.
 */
abstract class EachSecond {

    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final MonotonicClock clock;

    private final GateLog.Timer timer;

    // By CAS: of several threads that find the pause over, one writes. What the others have counted it sees.
    private final AtomicLong nextNanos;

    // Taken back before it is looked whether anything is left to write: what is counted before that is seen then, and
    // what is counted later arms the timer again.
    private final AtomicBoolean armed = new AtomicBoolean();

    EachSecond(MonotonicClock clock, GateLog.Timer timer) {
        this.clock = clock;
        this.timer = timer;
        this.nextNanos = new AtomicLong(clock.nanoTime());
    }

    /** Whether there is something to write. */
    abstract boolean isPending();

    /** Writes what there is, if anything. */
    abstract void write();

    /** Something was counted. */
    final void counted() {
        long now = this.clock.nanoTime();
        long next = this.nextNanos.get();
        if (now - next >= 0) {
            if (this.nextNanos.compareAndSet(next, now + PAUSE_NANOS)) {
                write();
            }
        } else if (this.armed.compareAndSet(false, true)) {
            this.timer.schedule(next - now, this::ring);
        }
    }

    private void ring() {
        this.armed.set(false);
        if (isPending()) {
            counted();
        }
    }
}
