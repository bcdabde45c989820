package dev.deadline;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The deadline of a thread that has none. */
enum NoDeadline implements Deadline {
    INSTANCE;

    private static final Duration UNBOUNDED = Duration.ofNanos(Long.MAX_VALUE);

    private static final Registration NOTHING_TO_REMOVE = () -> {};

    @Override
    public @Nullable Instant startedAt() {
        return null;
    }

    @Override
    public Duration remaining() {
        return UNBOUNDED;
    }

    @Override
    public boolean isBounded() {
        return false;
    }

    @Override
    public boolean isExpired() {
        return false;
    }

    @Override
    public @Nullable Reason reason() {
        return null;
    }

    @Override
    public Duration allow(Duration desired) {
        return allow(desired, Duration.ZERO);
    }

    @Override
    public Duration allow(Duration desired, Duration reserve) {
        if (desired.isZero() || desired.isNegative() || reserve.isNegative()) {
            throw new IllegalArgumentException(
                    "desired must be positive and reserve not negative, but they are " + desired + " and " + reserve);
        }
        return desired;
    }

    @Override
    public void checkpoint() {}

    @Override
    public Registration onCancel(Consumer<? super Reason> hook) {
        return NOTHING_TO_REMOVE;
    }

    @Override
    public String toString() {
        return "no deadline";
    }
}
