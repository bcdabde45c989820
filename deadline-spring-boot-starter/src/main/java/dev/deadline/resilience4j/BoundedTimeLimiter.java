package dev.deadline.resilience4j;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import io.github.resilience4j.timelimiter.TimeLimiter;
import io.github.resilience4j.timelimiter.TimeLimiterConfig;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** A time limiter that gives up its wait when there is less time than it has been configured to give. */
record BoundedTimeLimiter(TimeLimiter entry) implements TimeLimiter, Bounded<TimeLimiter> {

    @Override
    public <T, F extends Future<T>> Callable<T> decorateFutureSupplier(Supplier<F> futureSupplier) {
        return () -> {
            Scope scope = TimeLeft.current();
            if (scope == null) {
                return this.entry.decorateFutureSupplier(futureSupplier).call();
            }
            TimeLeft.check();
            AtomicReference<F> awaited = new AtomicReference<>();
            Supplier<F> remembered = () -> {
                F future = futureSupplier.get();
                awaited.setPlain(future);
                return future;
            };
            try (Section section = DeadlineEngine.interruptible()) {
                return this.entry.decorateFutureSupplier(remembered).call();
            } catch (Exception ex) {
                F future = awaited.getPlain();
                if (!scope.isExpired() || future == null) {
                    throw ex;
                }
                future.cancel(true);
                throw scope.exceeded(ex);
            }
        };
    }

    @Override
    public <T, F extends CompletionStage<T>> Supplier<CompletionStage<T>> decorateCompletionStage(
            ScheduledExecutorService scheduler, Supplier<F> supplier) {
        return () -> GuardedStage.<T>call(supplier::get, work -> this.entry.decorateCompletionStage(scheduler, work));
    }

    @Override
    public String getName() {
        return this.entry.getName();
    }

    @Override
    public Map<String, String> getTags() {
        return this.entry.getTags();
    }

    @Override
    public TimeLimiterConfig getTimeLimiterConfig() {
        return this.entry.getTimeLimiterConfig();
    }

    @Override
    public EventPublisher getEventPublisher() {
        return this.entry.getEventPublisher();
    }

    @Override
    public void onSuccess() {
        this.entry.onSuccess();
    }

    @Override
    public void onError(Throwable throwable) {
        this.entry.onError(throwable);
    }

    @Override
    public String toString() {
        return this.entry.toString();
    }
}
