package dev.deadline.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deadline.Reason;
import dev.deadline.engine.Scope;
import dev.deadline.resilience4j.WaitRaces.Body;
import dev.deadline.resilience4j.WaitRaces.Round;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.retry.RetryRegistry;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.aspectj.lang.ProceedingJoinPoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** The end of the time, of the client's patience and of a wait meet, in the operators for annotated methods. */
class ReactiveRaceTests {

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(1);

    private final BoundedRegistries registries = new BoundedRegistries(false);

    private final WaitRaces races = new WaitRaces();

    private final Retry retry = ((RetryRegistry) this.registries.bounded(RetryRegistry.of(RetryConfig.custom()
                    .maxAttempts(4)
                    .waitDuration(Duration.ofMillis(1))
                    .build())))
            .retry("some");

    private final CircuitBreakerRegistry breakers =
            (CircuitBreakerRegistry) this.registries.bounded(CircuitBreakerRegistry.of(CircuitBreakerConfig.custom()
                    .permittedNumberOfCallsInHalfOpenState(5)
                    .build()));

    private final BulkheadRegistry bulkheads =
            (BulkheadRegistry) this.registries.bounded(BulkheadRegistry.of(BulkheadConfig.custom()
                    .maxConcurrentCalls(1)
                    .maxWaitDuration(Duration.ofSeconds(5))
                    .build()));

    @AfterEach
    void close() {
        this.races.close();
    }

    @Test
    void endInTheWaitsOfAMono() throws Exception {
        this.races.race("Mono", thread -> {
            Body backoff = this::backoff;
            Body limiter = this::limiter;
            Bulkhead bulkhead = this.bulkheads.bulkhead("of thread " + thread);
            CircuitBreaker breaker = this.breakers.circuitBreaker("of thread " + thread);
            Body[] bodies = {
                backoff, limiter, round -> bulkhead(round, bulkhead), round -> answer(round, breaker, bulkhead)
            };
            return round -> bodies[round.random.nextInt(bodies.length)].run(round);
        });
    }

    private void backoff(Round round) throws Throwable {
        int aimed = 1 + round.random.nextInt(4);
        long miss = round.jitter();
        AtomicInteger attempts = new AtomicInteger();
        AtomicLong notBefore = new AtomicLong(System.nanoTime());
        Mono<String> upstream = Mono.defer(() -> {
            round.begins(notBefore.get());
            if (attempts.incrementAndGet() == aimed) {
                round.at(System.nanoTime() + PAUSE + miss, round::abort);
            }
            notBefore.set(System.nanoTime() + PAUSE);
            return Mono.error(new IllegalArgumentException("unchecked"));
        });
        done(round, (Mono<?>) new ReactiveAspects.OfRetry().handle(method(upstream), this.retry, "some"));
        assertThat(attempts).hasValueLessThanOrEqualTo(4);
    }

    private void limiter(Round round) throws Throwable {
        long period = Math.max(100_000, round.aim - System.nanoTime() - round.random.nextLong(100_000));
        long made = System.nanoTime();
        RateLimiter limiter = ((RateLimiterRegistry)
                        this.registries.bounded(RateLimiterRegistry.of(RateLimiterConfig.custom()
                                .limitForPeriod(1)
                                .limitRefreshPeriod(Duration.ofNanos(period))
                                .timeoutDuration(Duration.ofDays(365))
                                .build())))
                .rateLimiter("some");
        assertThat(((BoundedRateLimiter) limiter).entry().acquirePermission()).isTrue();
        AtomicInteger attempts = new AtomicInteger();
        Mono<String> upstream = Mono.fromSupplier(() -> {
            round.begins(made + period);
            attempts.incrementAndGet();
            return "answer";
        });
        if (round.chance()) {
            round.aim(round::abort);
        }
        done(round, (Mono<?>) new ReactiveAspects.OfRateLimiter().handle(method(upstream), limiter, "some"));
        assertThat(limiter.getMetrics().getAvailablePermissions()).isLessThanOrEqualTo(1);
        if (attempts.get() == 0) {
            // A thread that cancels may be at it still.
            await().pollInterval(Duration.ofNanos(50_000)).until(() -> {
                int available = limiter.getMetrics().getAvailablePermissions();
                return available == 0 || System.nanoTime() - made >= period;
            });
        }
    }

    private void bulkhead(Round round, Bulkhead bulkhead) throws Throwable {
        Bulkhead inner = ((BoundedBulkhead) bulkhead).entry();
        inner.acquirePermission();
        AtomicLong notBefore = new AtomicLong();
        CompletableFuture<Void> released = new CompletableFuture<>();
        Runnable release = () -> {
            notBefore.set(System.nanoTime());
            inner.releasePermission();
            released.complete(null);
        };
        if (round.chance()) {
            round.aim(() -> {
                round.abort();
                release.run();
            });
        } else {
            round.aim(release);
            round.aim(round::abort);
        }
        Mono<String> upstream = Mono.fromSupplier(() -> {
            round.begins(notBefore.get());
            return "answer";
        });
        done(round, (Mono<?>) new ReactiveAspects.OfBulkhead().handle(method(upstream), bulkhead, "some"));
        released.get(10, TimeUnit.SECONDS);
        awaitPermit(bulkhead);
    }

    private void answer(Round round, CircuitBreaker breaker, Bulkhead bulkhead) throws Throwable {
        breaker.transitionToOpenState();
        breaker.transitionToHalfOpenState();
        long called = System.nanoTime();
        CompletableFuture<String> answer = new CompletableFuture<>();
        boolean answers = round.random.nextInt(4) > 0;
        boolean fails = round.chance();
        round.aim(() -> {
            if (!answers) {
                return;
            }
            if (fails) {
                answer.completeExceptionally(new IllegalArgumentException("unchecked"));
            } else {
                answer.complete("answer");
            }
        });
        if (!answers || round.chance()) {
            round.aim(round::abort);
        }
        AtomicInteger attempts = new AtomicInteger();
        Mono<String> upstream = Mono.defer(() -> {
            round.begins(called);
            attempts.incrementAndGet();
            return Mono.fromFuture(answer);
        });
        Object limited = new ReactiveAspects.OfBulkhead().handle(method(upstream), bulkhead, "some");
        done(round, (Mono<?>) new ReactiveAspects.OfCircuitBreaker().handle(method(limited), breaker, "some"));
        awaitPermit(bulkhead);
        // A thread that cancels may be at it still.
        await().pollInterval(Duration.ofNanos(100_000))
                .untilAsserted(() -> assertThat(HalfOpen.permits(breaker))
                        .isEqualTo(5 - breaker.getMetrics().getNumberOfBufferedCalls()));
        if (round.isStopped() && round.scope.reason() == Reason.BUDGET_EXHAUSTED && attempts.get() > 0) {
            assertThat(breaker.getMetrics().getNumberOfBufferedCalls())
                    .as("had all the time of the request")
                    .isOne();
        }
    }

    private static void awaitPermit(Bulkhead bulkhead) {
        await().pollInterval(Duration.ofNanos(100_000))
                .untilAsserted(() -> assertThat(bulkhead.getMetrics().getAvailableConcurrentCalls())
                        .isOne());
    }

    private static void done(Round round, Mono<?> answer) throws Exception {
        CompletableFuture<?> done = answer.contextWrite(context -> context.put(Scope.KEY, round.scope))
                .toFuture();
        if (round.random.nextInt(4) == 0) {
            round.aim(() -> done.cancel(true));
        }
        try {
            done.get(1, TimeUnit.SECONDS);
        } catch (CancellationException ex) {
            // By the one who waited for it.
        } catch (ExecutionException ex) {
            round.threw(ex.getCause(), IllegalArgumentException.class);
        }
    }

    /** A method with an annotation, as the aspects see it: all that they do with it is to call it. */
    static ProceedingJoinPoint method(Object result) {
        return (ProceedingJoinPoint) Proxy.newProxyInstance(
                ReactiveRaceTests.class.getClassLoader(),
                new Class<?>[] {ProceedingJoinPoint.class},
                (proxy, method, arguments) -> result);
    }
}
