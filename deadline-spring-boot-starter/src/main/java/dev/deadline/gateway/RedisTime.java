package dev.deadline.gateway;

import dev.deadline.engine.MonotonicClock;
import io.github.bucket4j.TimeMeter;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The time that instances share: what Redis said its time is, and what has passed here since then. So the clocks of the
 * machines that the instances run on need not agree, and may jump. Thread-safe.
 */
final class RedisTime implements TimeMeter {

    // Monotonic clocks of two machines differ by some milliseconds after this long.
    private static final long READING_HOLDS = 60_000_000_000L;

    private final MonotonicClock clock;

    private final Supplier<CompletionStage<Long>> source;

    // Of the threads that find the reading too old one asks for the next.
    private final AtomicLong nextReading;

    // Written by the thread that gets the answer, read by all: both halves of a reading belong together.
    private volatile Reading reading;

    /**
     * @param source asks Redis for its time, in nanoseconds
     * @param first what it said
     * @param askedAt when it was asked, by the clock
     */
    RedisTime(MonotonicClock clock, Supplier<CompletionStage<Long>> source, long first, long askedAt) {
        this.clock = clock;
        this.source = source;
        long now = clock.nanoTime();
        this.reading = new Reading(first, askedAt + (now - askedAt) / 2);
        this.nextReading = new AtomicLong(now + READING_HOLDS);
    }

    @Override
    public long currentTimeNanos() {
        long due = this.nextReading.get();
        long now = this.clock.nanoTime();
        if (now - due >= 0 && this.nextReading.compareAndSet(due, now + READING_HOLDS)) {
            this.source.get().thenAccept(nanos -> {
                long answered = this.clock.nanoTime();
                this.reading = new Reading(nanos, now + (answered - now) / 2);
            });
        }
        Reading last = this.reading;
        return last.redisNanos() + (now - last.clockNanos());
    }

    @Override
    public boolean isWallClockBased() {
        return true;
    }

    private record Reading(long redisNanos, long clockNanos) {}
}
