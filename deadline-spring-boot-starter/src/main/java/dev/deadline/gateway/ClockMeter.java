package dev.deadline.gateway;

import dev.deadline.engine.MonotonicClock;
import io.github.bucket4j.TimeMeter;

/** The monotonic clock as Bucket4j has it, which compares readings as numbers: counted from when this was made. */
final class ClockMeter implements TimeMeter {

    private final MonotonicClock clock;

    private final long origin;

    ClockMeter(MonotonicClock clock) {
        this.clock = clock;
        this.origin = clock.nanoTime();
    }

    @Override
    public long currentTimeNanos() {
        return this.clock.nanoTime() - this.origin;
    }

    @Override
    public boolean isWallClockBased() {
        return false;
    }
}
