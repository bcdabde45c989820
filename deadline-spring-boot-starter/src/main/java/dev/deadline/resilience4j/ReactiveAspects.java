package dev.deadline.resilience4j;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import dev.deadline.reactive.CancelSignal;
import dev.deadline.reactive.CarriedPublisher;
import dev.deadline.reactive.ScopeLookup;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RequestNotPermitted;
import io.github.resilience4j.reactor.bulkhead.operator.BulkheadOperator;
import io.github.resilience4j.reactor.circuitbreaker.operator.CircuitBreakerOperator;
import io.github.resilience4j.reactor.retry.RetryOperator;
import io.github.resilience4j.reactor.timelimiter.TimeLimiterOperator;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.spring6.bulkhead.configure.ReactorBulkheadAspectExt;
import io.github.resilience4j.spring6.circuitbreaker.configure.ReactorCircuitBreakerAspectExt;
import io.github.resilience4j.spring6.ratelimiter.configure.ReactorRateLimiterAspectExt;
import io.github.resilience4j.spring6.retry.configure.ReactorRetryAspectExt;
import io.github.resilience4j.spring6.timelimiter.configure.ReactorTimeLimiterAspectExt;
import io.github.resilience4j.timelimiter.TimeLimiter;
import java.time.Duration;
import java.util.function.Function;
import org.aspectj.lang.ProceedingJoinPoint;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The annotations of Resilience4j on methods that return a Mono or Flux. Its operators look for nothing in the Reactor
 * context, so each is subscribed to by a thread that carries the deadline of the subscriber, with every attempt anew, and
 * is cut when that ends.
 *
 * @since 0.1
 */
public final class ReactiveAspects {

    private ReactiveAspects() {}

    /**
     * @param operator of Resilience4j's, for one subscription
     */
    private static Object bounded(
            ProceedingJoinPoint method, Function<Publisher<Object>, ? extends Publisher<Object>> operator)
            throws Throwable {
        Object result = method.proceed();
        Scope assembled = DeadlineEngine.currentScope();
        if (result instanceof Mono<?> mono) {
            Mono<Object> source = attempt(mono);
            return Mono.deferContextual(context -> {
                Mono<Object> operated = CarriedPublisher.of(source.transformDeferred(operator));
                Scope scope = enforced(ScopeLookup.find(context, assembled));
                return (scope != null) ? CancelSignal.fail(operated, scope) : operated;
            });
        }
        if (result instanceof Flux<?> flux) {
            Flux<Object> source = attempt(flux);
            return Flux.deferContextual(context -> {
                Flux<Object> operated = CarriedPublisher.of(source.transformDeferred(operator));
                Scope scope = enforced(ScopeLookup.find(context, assembled));
                return (scope != null) ? CancelSignal.fail(operated, scope) : operated;
            });
        }
        return result;
    }

    // Looked at again with each attempt: an operator that waits knows nothing of the end.
    private static Mono<Object> attempt(Mono<?> source) {
        return CarriedPublisher.of(Mono.defer(() -> {
            TimeLeft.check();
            return source.cast(Object.class).onErrorMap(told(TimeLeft.ofCall()));
        }));
    }

    private static Flux<Object> attempt(Flux<?> source) {
        return CarriedPublisher.of(Flux.defer(() -> {
            TimeLeft.check();
            return source.cast(Object.class).onErrorMap(told(TimeLeft.ofCall()));
        }));
    }

    // Whatever a client throws when it is stopped, on a thread that knows nothing of the deadline.
    private static Function<Throwable, Throwable> told(@Nullable Scope scope) {
        if (scope == null) {
            return failure -> failure;
        }
        return failure -> (scope.isExpired() && Stops.of(failure) == null) ? scope.exceeded(failure) : failure;
    }

    private static @Nullable Scope enforced(@Nullable Scope scope) {
        return (scope != null && scope.isEnforced()) ? scope : null;
    }

    /** For {@code @Retry}. */
    public static final class OfRetry extends ReactorRetryAspectExt {

        @Override
        public Object handle(ProceedingJoinPoint method, Retry retry, String name) throws Throwable {
            return bounded(method, RetryOperator.of(retry)::apply);
        }
    }

    /** For {@code @CircuitBreaker}. */
    public static final class OfCircuitBreaker extends ReactorCircuitBreakerAspectExt {

        @Override
        public Object handle(ProceedingJoinPoint method, CircuitBreaker breaker, String name) throws Throwable {
            return bounded(
                    method,
                    source -> CircuitBreakerOperator.of(forOneCall(breaker)).apply(source));
        }

        private static CircuitBreaker forOneCall(CircuitBreaker breaker) {
            return (breaker instanceof BoundedCircuitBreaker bounded) ? bounded.forOneCall() : breaker;
        }
    }

    /** For {@code @Bulkhead}. */
    public static final class OfBulkhead extends ReactorBulkheadAspectExt {

        @Override
        public Object handle(ProceedingJoinPoint method, Bulkhead bulkhead, String name) throws Throwable {
            return bounded(method, BulkheadOperator.of(bulkhead)::apply);
        }
    }

    /** For {@code @TimeLimiter}. */
    public static final class OfTimeLimiter extends ReactorTimeLimiterAspectExt {

        @Override
        public Object handle(ProceedingJoinPoint method, TimeLimiter limiter, String name) throws Throwable {
            return bounded(method, TimeLimiterOperator.of(limiter)::apply);
        }
    }

    /** For {@code @RateLimiter}: the operator of Resilience4j's goes on waiting when it is cancelled. */
    public static final class OfRateLimiter extends ReactorRateLimiterAspectExt {

        @Override
        public Object handle(ProceedingJoinPoint method, RateLimiter limiter, String name) throws Throwable {
            return bounded(method, source -> limited(source, limiter));
        }

        private static Publisher<Object> limited(Publisher<Object> source, RateLimiter limiter) {
            if (source instanceof Mono<Object> mono) {
                Mono<Object> told = mono.doOnNext(limiter::onResult).doOnError(limiter::onError);
                return Mono.defer(() -> permitted(limiter).then(told));
            }
            Flux<Object> told = Flux.from(source).doOnNext(limiter::onResult).doOnError(limiter::onError);
            return Flux.defer(() -> permitted(limiter).thenMany(told));
        }

        /** Completes when there is a permit. */
        private static Mono<Long> permitted(RateLimiter limiter) {
            Scope scope = TimeLeft.current();
            if (scope == null || !(limiter instanceof BoundedRateLimiter bounded)) {
                long wait = limiter.reservePermission();
                return (wait < 0) ? refused(limiter) : delay(wait);
            }
            Reservation reservation = bounded.reserve(scope, 1);
            return (reservation == null)
                    ? refused(limiter)
                    : delay(reservation.remainingNanos()).doOnCancel(reservation::giveBack);
        }

        private static Mono<Long> refused(RateLimiter limiter) {
            return Mono.error(RequestNotPermitted.createRequestNotPermitted(limiter));
        }

        private static Mono<Long> delay(long nanos) {
            return (nanos > 0) ? Mono.delay(Duration.ofNanos(nanos)) : Mono.empty();
        }
    }
}
