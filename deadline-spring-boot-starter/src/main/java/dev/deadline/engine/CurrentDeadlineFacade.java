package dev.deadline.engine;

import dev.deadline.Deadline;
import dev.deadline.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The injectable deadline: one object for all, which speaks for the current one of whoever calls it. */
public final class CurrentDeadlineFacade implements Deadline {

    @Override
    public @Nullable Instant startedAt() {
        return Deadline.current().startedAt();
    }

    @Override
    public Duration remaining() {
        return Deadline.current().remaining();
    }

    @Override
    public boolean isBounded() {
        return Deadline.current().isBounded();
    }

    @Override
    public boolean isExpired() {
        return Deadline.current().isExpired();
    }

    @Override
    public @Nullable Reason reason() {
        return Deadline.current().reason();
    }

    @Override
    public Duration allow(Duration desired) {
        return Deadline.current().allow(desired);
    }

    @Override
    public Duration allow(Duration desired, Duration reserve) {
        return Deadline.current().allow(desired, reserve);
    }

    @Override
    public void checkpoint() {
        Deadline.current().checkpoint();
    }

    @Override
    public Registration onCancel(Consumer<? super Reason> hook) {
        return Deadline.current().onCancel(hook);
    }

    @Override
    public String toString() {
        return Deadline.current().toString();
    }
}
