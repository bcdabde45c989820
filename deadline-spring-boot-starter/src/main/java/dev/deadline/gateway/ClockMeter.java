package dev.deadline.gateway;

import dev.deadline.engine.MonotonicClock;
import io.github.bucket4j.TimeMeter;

/** The monotonic clock as Bucket4j has it. */
record ClockMeter(MonotonicClock clock) implements TimeMeter {

    @Override
    public long currentTimeNanos() {
        return this.clock.nanoTime();
    }

    @Override
    public boolean isWallClockBased() {
        return false;
    }
}
