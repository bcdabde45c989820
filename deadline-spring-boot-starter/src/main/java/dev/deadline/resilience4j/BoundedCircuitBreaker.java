package dev.deadline.resilience4j;

import dev.deadline.DeadlineExceededException;
import dev.deadline.engine.Scope;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A breaker that counts a call whose time was up only if it had all the time it was to have, and never one that nobody
 * waited for any more; their permits go back.
 *
 * @param countClamped whether calls with less than their desired time count too
 * @param call the one call that this is for; null if it is for any number of calls, each of which is told of by a thread
 *     that has its deadline
 */
record BoundedCircuitBreaker(
        CircuitBreaker entry,
        boolean countClamped,
        @Nullable Call call) implements CircuitBreaker, Bounded<CircuitBreaker> {

    /**
     * A call that any thread may tell of.
     *
     * @param scope its deadline; null if it has none, whatever the threads have
     * @param told whether it has been told of. Set by CAS: an operator that is cancelled while the answer arrives tells
     *     of both, and only one permit was taken
     */
    record Call(@Nullable Scope scope, AtomicBoolean told) {}

    BoundedCircuitBreaker(CircuitBreaker entry, boolean countClamped) {
        this(entry, countClamped, null);
    }

    /**
     * The same breaker for one call, which is about to be made under the deadline of the calling thread. Of all that it
     * is told it counts the first.
     */
    BoundedCircuitBreaker forOneCall() {
        return new BoundedCircuitBreaker(
                this.entry, this.countClamped, new Call(TimeLeft.ofCall(), new AtomicBoolean()));
    }

    private boolean isToldBefore() {
        return this.call != null && !this.call.told().compareAndSet(false, true);
    }

    private @Nullable Scope scope() {
        return (this.call != null) ? this.call.scope() : TimeLeft.current();
    }

    /**
     * The same configuration, in which what this class passes on as a failure is one, whatever the lists and predicates
     * say of it; they hold for all else. Built from the finished configuration, as its builder adds where it should
     * replace.
     */
    static CircuitBreakerConfig counting(CircuitBreakerConfig config) {
        Predicate<Throwable> ignored = config.getIgnoreExceptionPredicate();
        Predicate<Throwable> recorded = config.getRecordExceptionPredicate();
        return CircuitBreakerConfig.from(config)
                .ignoreExceptions()
                .ignoreException(failure -> !isTimeout(failure) && ignored.test(failure))
                .recordException(failure -> isTimeout(failure) || recorded.test(failure))
                .build();
    }

    private static boolean isTimeout(Throwable failure) {
        Stops stop = Stops.of(failure);
        return stop != null && stop.failure() == failure;
    }

    @Override
    public boolean tryAcquirePermission() {
        TimeLeft.check();
        return this.entry.tryAcquirePermission();
    }

    @Override
    public void acquirePermission() {
        TimeLeft.check();
        this.entry.acquirePermission();
    }

    @Override
    public void releasePermission() {
        if (isToldBefore()) {
            return;
        }
        Scope scope = scope();
        if (scope != null && BreakerVerdict.of(scope, this.countClamped) == BreakerVerdict.FAILURE) {
            // Somebody cancelled the call because its time was up.
            DeadlineExceededException timeout = scope.exceeded(null);
            this.entry.onError(timeout.waited().toNanos(), TimeUnit.NANOSECONDS, timeout);
        } else {
            this.entry.releasePermission();
        }
    }

    @Override
    public void onError(long duration, TimeUnit unit, Throwable failure) {
        if (isToldBefore()) {
            return;
        }
        Scope scope = scope();
        switch (BreakerVerdict.of(failure, scope, this.countClamped)) {
            case NEUTRAL -> this.entry.releasePermission();
            case FAILURE -> this.entry.onError(duration, unit, timeoutOf(failure, scope));
            case BY_ITS_RULES -> this.entry.onError(duration, unit, failure);
        }
    }

    private static Throwable timeoutOf(Throwable failure, @Nullable Scope scope) {
        Stops stop = Stops.of(failure);
        if (stop != null) {
            return stop.failure();
        }
        return (scope != null) ? scope.exceeded(failure) : failure;
    }

    @Override
    public void onSuccess(long duration, TimeUnit unit) {
        ended(duration, unit, () -> this.entry.onSuccess(duration, unit));
    }

    @Override
    public void onResult(long duration, TimeUnit unit, @Nullable Object result) {
        ended(duration, unit, () -> this.entry.onResult(duration, unit, result));
    }

    // Also called for a Flux that was cancelled after its first element, which says nothing.
    private void ended(long duration, TimeUnit unit, Runnable byItsRules) {
        if (isToldBefore()) {
            return;
        }
        Scope scope = scope();
        BreakerVerdict verdict = BreakerVerdict.of(scope, this.countClamped);
        if (scope == null || verdict == BreakerVerdict.BY_ITS_RULES) {
            byItsRules.run();
        } else if (verdict == BreakerVerdict.NEUTRAL) {
            this.entry.releasePermission();
        } else {
            this.entry.onError(duration, unit, scope.exceeded(null));
        }
    }

    @Override
    public <T> Supplier<CompletionStage<T>> decorateCompletionStage(Supplier<CompletionStage<T>> supplier) {
        return () -> executeCompletionStage(supplier);
    }

    @Override
    public <T> CompletionStage<T> executeCompletionStage(Supplier<CompletionStage<T>> supplier) {
        return GuardedStage.call(supplier, work -> CircuitBreaker.decorateCompletionStage(forOneCall(), work));
    }

    @Override
    public void reset() {
        this.entry.reset();
    }

    @Override
    public void transitionToClosedState() {
        this.entry.transitionToClosedState();
    }

    @Override
    public void transitionToOpenState() {
        this.entry.transitionToOpenState();
    }

    @Override
    public void transitionToOpenStateFor(Duration waitDuration) {
        this.entry.transitionToOpenStateFor(waitDuration);
    }

    @Override
    public void transitionToOpenStateUntil(Instant waitUntil) {
        this.entry.transitionToOpenStateUntil(waitUntil);
    }

    @Override
    public void transitionToHalfOpenState() {
        this.entry.transitionToHalfOpenState();
    }

    @Override
    public void transitionToDisabledState() {
        this.entry.transitionToDisabledState();
    }

    @Override
    public void transitionToMetricsOnlyState() {
        this.entry.transitionToMetricsOnlyState();
    }

    @Override
    public void transitionToForcedOpenState() {
        this.entry.transitionToForcedOpenState();
    }

    @Override
    public String getName() {
        return this.entry.getName();
    }

    @Override
    public State getState() {
        return this.entry.getState();
    }

    @Override
    public CircuitBreakerConfig getCircuitBreakerConfig() {
        return this.entry.getCircuitBreakerConfig();
    }

    @Override
    public Metrics getMetrics() {
        return this.entry.getMetrics();
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
    public long getCurrentTimestamp() {
        return this.entry.getCurrentTimestamp();
    }

    @Override
    public TimeUnit getTimestampUnit() {
        return this.entry.getTimestampUnit();
    }

    @Override
    public String toString() {
        return this.entry.toString();
    }
}
