package dev.deadline.resilience4j;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import dev.deadline.reactive.BoundedStage;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A retry whose pauses end when time is up, and whose attempts each have what is left then. */
record BoundedRetry(Retry entry) implements Retry, Bounded<Retry> {

    @Override
    public String getName() {
        return this.entry.getName();
    }

    /** Throws if there is no time left, as nothing waits for the first attempt that could find out. */
    @Override
    public <T> Context<T> context() {
        TimeLeft.check();
        Context<T> own = this.entry.context();
        Scope scope = TimeLeft.current();
        return (scope != null) ? new BoundedRetryContext<>(own, scope) : own;
    }

    @Override
    public <T> AsyncContext<T> asyncContext() {
        return new BoundedAsyncRetryContext<>(this.entry.asyncContext(), DeadlineEngine.currentScope());
    }

    @Override
    public <T> Supplier<CompletionStage<T>> decorateCompletionStage(
            ScheduledExecutorService scheduler, Supplier<CompletionStage<T>> supplier) {
        return () -> executeCompletionStage(scheduler, supplier);
    }

    @Override
    public <T> CompletionStage<T> executeCompletionStage(
            ScheduledExecutorService scheduler, Supplier<CompletionStage<T>> supplier) {
        Scope called = DeadlineEngine.currentScope();
        Scope scope = TimeLeft.current();
        if (scope == null) {
            return Retry.decorateCompletionStage(this, scheduler, () -> carried(called, supplier))
                    .get();
        }
        // Cut outside of the retry as well, which may be in a pause.
        return BoundedStage.cut(
                GuardedStage.call(
                        () -> attempt(scope, supplier),
                        attempts -> Retry.decorateCompletionStage(this, scheduler, attempts)),
                scope);
    }

    // On whatever thread the scheduler has. Never throws: that would leave the result of the retry open for ever.
    private static <T> CompletionStage<T> attempt(Scope scope, Supplier<CompletionStage<T>> supplier) {
        try (Section section = DeadlineEngine.carry(scope)) {
            TimeLeft.check();
            return supplier.get();
        } catch (Throwable ex) {
            return CompletableFuture.failedFuture(ex);
        }
    }

    // A scheduler may take along the deadline of whoever brought the result that is retried.
    private static <T> T carried(@Nullable Scope called, Supplier<T> supplier) {
        try (Section section = DeadlineEngine.carry(called)) {
            return supplier.get();
        }
    }

    @Override
    public RetryConfig getRetryConfig() {
        return this.entry.getRetryConfig();
    }

    @Override
    public Map<String, String> getTags() {
        return this.entry.getTags();
    }

    @Override
    public EventPublisher getEventPublisher() {
        return this.entry.getEventPublisher();
    }

    @Override
    public Metrics getMetrics() {
        return this.entry.getMetrics();
    }

    @Override
    public String toString() {
        return this.entry.toString();
    }
}
