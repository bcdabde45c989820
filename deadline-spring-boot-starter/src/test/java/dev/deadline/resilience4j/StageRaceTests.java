package dev.deadline.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import dev.deadline.resilience4j.WaitRaces.Round;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.bulkhead.ThreadPoolBulkhead;
import io.github.resilience4j.bulkhead.ThreadPoolBulkheadConfig;
import io.github.resilience4j.bulkhead.ThreadPoolBulkheadRegistry;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.retry.RetryRegistry;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The end of the time, of the client's patience and of a wait meet, while no thread waits. */
class StageRaceTests {

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(1);

    private final BoundedRegistries registries = new BoundedRegistries(false);

    private final WaitRaces races = new WaitRaces();

    @AfterEach
    void close() {
        this.races.close();
    }

    @Test
    void endInTheQueueOrOnTheThreadOfABulkhead() throws Exception {
        ThreadPoolBulkheadConfig config = ThreadPoolBulkheadConfig.custom()
                .coreThreadPoolSize(1)
                .maxThreadPoolSize(1)
                .queueCapacity(3)
                .build();
        ThreadPoolBulkheadRegistry bulkheads =
                (ThreadPoolBulkheadRegistry) this.registries.bounded(ThreadPoolBulkheadRegistry.of(config));
        this.races.race("thread pool bulkhead", thread -> {
            ThreadPoolBulkhead bulkhead = bulkheads.bulkhead("of thread " + thread);
            ThreadPoolBulkhead inner = ((BoundedThreadPoolBulkhead) bulkhead).entry();
            return round -> {
                CountDownLatch busy = new CountDownLatch(round.random.nextInt(3));
                done(round, (busy.getCount() > 0) ? queued(round, bulkhead, inner, busy) : running(round, bulkhead));
                while (busy.getCount() > 0) {
                    busy.countDown();
                }
                boolean flag = inner.submit(() -> Thread.currentThread().isInterrupted())
                        .toCompletableFuture()
                        .get(1, TimeUnit.SECONDS);
                assertThat(flag).as("leaked flag of the pool").isFalse();
                assertThat(bulkhead.getMetrics().getRemainingQueueCapacity()).isEqualTo(3);
            };
        });
    }

    // With more than one count the thread is not free before the answer is there.
    private static CompletionStage<String> queued(
            Round round, ThreadPoolBulkhead bulkhead, ThreadPoolBulkhead inner, CountDownLatch busy) {
        AtomicLong notBefore = new AtomicLong();
        inner.submit(() -> busy.await(10, TimeUnit.SECONDS));
        Runnable free = () -> {
            notBefore.set(System.nanoTime());
            busy.countDown();
        };
        if (round.chance()) {
            round.aim(() -> {
                round.abort();
                free.run();
            });
        } else {
            round.aim(free);
            round.aim(round::abort);
        }
        return bulkhead.submit(() -> {
            round.begins(notBefore.get());
            return "answer";
        });
    }

    private static CompletionStage<String> running(Round round, ThreadPoolBulkhead bulkhead) {
        long submitted = System.nanoTime();
        boolean endless = round.random.nextInt(4) == 0;
        long end = round.aim + (endless ? TimeUnit.MINUTES.toNanos(5) : round.jitter());
        round.aim(round::abort);
        return bulkhead.submit(() -> {
            round.begins(submitted);
            while (end - System.nanoTime() > 0) {
                LockSupport.parkNanos(end - System.nanoTime());
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
            return "answer";
        });
    }

    @Test
    void endInTheBackoffOfARetry() throws Exception {
        RetryConfig config = RetryConfig.custom()
                .maxAttempts(4)
                .waitDuration(Duration.ofMillis(1))
                .retryOnResult("again"::equals)
                .build();
        Retry retry = ((RetryRegistry) this.registries.bounded(RetryRegistry.of(config))).retry("some");
        this.races.race("backoff of a stage", thread -> round -> {
            int aimed = 1 + round.random.nextInt(4);
            boolean beforeTheAnswer = round.chance();
            int answers = round.random.nextInt();
            long miss = round.jitter();
            AtomicInteger attempts = new AtomicInteger();
            AtomicLong notBefore = new AtomicLong(System.nanoTime());
            CompletionStage<String> answer = retry.executeCompletionStage(this.races.scheduler(), () -> {
                round.begins(notBefore.get());
                int attempt = attempts.incrementAndGet();
                CompletableFuture<String> upstream = new CompletableFuture<>();
                round.at(System.nanoTime() + 100_000, () -> {
                    if (attempt == aimed && beforeTheAnswer) {
                        round.abort();
                    } else if (attempt == aimed) {
                        round.at(System.nanoTime() + PAUSE + miss, round::abort);
                    }
                    notBefore.set(System.nanoTime() + PAUSE);
                    if ((answers >> attempt & 1) == 0) {
                        upstream.completeExceptionally(new IllegalArgumentException("unchecked"));
                    } else {
                        upstream.complete("again");
                    }
                });
                return upstream;
            });
            done(round, answer, IllegalArgumentException.class);
            assertThat(attempts).hasValueLessThanOrEqualTo(4);
        });
    }

    /** In the half-open state a permit that is lost or given back twice shows. */
    @Test
    void endInACallThroughBreakerAndBulkhead() throws Exception {
        CircuitBreakerConfig probing = CircuitBreakerConfig.custom()
                .permittedNumberOfCallsInHalfOpenState(5)
                .build();
        CircuitBreakerRegistry breakers =
                (CircuitBreakerRegistry) this.registries.bounded(CircuitBreakerRegistry.of(probing));
        BulkheadRegistry bulkheads = (BulkheadRegistry) this.registries.bounded(BulkheadRegistry.of(
                BulkheadConfig.custom().maxConcurrentCalls(3).build()));
        this.races.race("breaker and bulkhead of a stage", thread -> {
            CircuitBreaker breaker = breakers.circuitBreaker("of thread " + thread);
            Bulkhead bulkhead = bulkheads.bulkhead("of thread " + thread);
            return round -> {
                breaker.transitionToOpenState();
                breaker.transitionToHalfOpenState();
                long called = System.nanoTime();
                CompletableFuture<String> upstream = new CompletableFuture<>();
                boolean answers = round.random.nextInt(4) > 0;
                boolean fails = round.chance();
                round.aim(() -> {
                    if (!answers) {
                        return;
                    }
                    if (fails) {
                        upstream.completeExceptionally(new IllegalArgumentException("unchecked"));
                    } else {
                        upstream.complete("answer");
                    }
                });
                if (!answers || round.chance()) {
                    round.aim(round::abort);
                }
                CompletionStage<String> answer =
                        breaker.executeCompletionStage(() -> bulkhead.executeCompletionStage(() -> {
                            round.begins(called);
                            return upstream;
                        }));
                done(round, answer, IllegalArgumentException.class);
                upstream.complete("late");
                await().pollInterval(Duration.ofNanos(100_000))
                        .until(() -> bulkhead.getMetrics().getAvailableConcurrentCalls() == 3);
                assertThat(HalfOpen.permits(breaker))
                        .isEqualTo(5 - breaker.getMetrics().getNumberOfBufferedCalls());
            };
        });
    }

    /** What is lost, held or called once too often shows as above; and what nobody waits for has to be cancelled. */
    @Test
    void endWithACancellationWhileAFallbackBegins() throws Exception {
        CircuitBreakerRegistry breakers =
                (CircuitBreakerRegistry) this.registries.bounded(CircuitBreakerRegistry.of(CircuitBreakerConfig.custom()
                        .permittedNumberOfCallsInHalfOpenState(5)
                        .build()));
        BulkheadRegistry bulkheads = (BulkheadRegistry) this.registries.bounded(BulkheadRegistry.of(
                BulkheadConfig.custom().maxConcurrentCalls(3).build()));
        this.races.race("fallback of a stage", thread -> {
            CircuitBreaker breaker = breakers.circuitBreaker("of thread " + thread);
            Bulkhead bulkhead = bulkheads.bulkhead("of thread " + thread);
            return round -> {
                breaker.transitionToOpenState();
                breaker.transitionToHalfOpenState();
                long called = System.nanoTime();
                CompletableFuture<String> upstream = new CompletableFuture<>();
                CompletableFuture<String> fallback = new CompletableFuture<>();
                AtomicInteger asked = new AtomicInteger();
                AtomicInteger fallbacks = new AtomicInteger();
                CompletableFuture<String> answer = InsteadOfStage.call(
                        () -> breaker.executeCompletionStage(() -> bulkhead.executeCompletionStage(() -> {
                            round.begins(called);
                            asked.incrementAndGet();
                            return upstream;
                        })),
                        () -> {
                            fallbacks.incrementAndGet();
                            return fallback;
                        });
                if (round.random.nextInt(4) > 0) {
                    round.aim(() -> upstream.completeExceptionally(new IllegalArgumentException("unchecked")));
                }
                if (round.chance()) {
                    round.aim(() -> fallback.complete("instead"));
                }
                if (round.random.nextInt(4) == 0) {
                    round.aim(round::abort);
                }
                round.aim(() -> answer.cancel(true));
                try {
                    done(round, answer, IllegalArgumentException.class);
                } catch (CancellationException ex) {
                    // By the one who waited for it.
                }
                if (asked.get() > 0) {
                    await().pollInterval(Duration.ofNanos(100_000)).until(upstream::isDone);
                }
                await().pollInterval(Duration.ofNanos(100_000))
                        .until(() -> bulkhead.getMetrics().getAvailableConcurrentCalls() == 3);
                await().pollInterval(Duration.ofNanos(100_000))
                        .untilAsserted(() -> assertThat(HalfOpen.permits(breaker))
                                .isEqualTo(5 - breaker.getMetrics().getNumberOfBufferedCalls()));
                assertThat(fallbacks).hasValueLessThanOrEqualTo(1);
                if (fallbacks.get() > 0) {
                    await().pollInterval(Duration.ofNanos(100_000)).until(fallback::isDone);
                }
            };
        });
    }

    /** What becomes of another request, whose thread brings the end, is nothing to a call. */
    @Test
    void endOnTheThreadOfAnotherRequest() throws Exception {
        RetryConfig config = RetryConfig.custom()
                .maxAttempts(2)
                .waitDuration(Duration.ofMillis(1))
                .retryOnResult("again"::equals)
                .build();
        Retry retry = ((RetryRegistry) this.registries.bounded(RetryRegistry.of(config))).retry("some");
        this.races.race("stage on another's thread", thread -> round -> {
            // A new one: that of a call which was cut may be told a little later than who waited for the call.
            CircuitBreaker breaker = ((CircuitBreakerRegistry)
                            this.registries.bounded(CircuitBreakerRegistry.ofDefaults()))
                    .circuitBreaker("some");
            boolean isJob = round.chance();
            boolean fails = round.chance();
            Scope other = round.other();
            CompletableFuture<String> upstream = new CompletableFuture<>();
            AtomicInteger attempts = new AtomicInteger();
            CompletionStage<String> answer;
            try (Section section = DeadlineEngine.carry(isJob ? null : round.scope)) {
                answer = retry.executeCompletionStage(
                        this.races.scheduler(),
                        () -> breaker.executeCompletionStage(() -> (attempts.incrementAndGet() == 1)
                                ? upstream
                                : CompletableFuture.completedFuture("answer")));
            }
            round.aim(() -> {
                try (Section section = DeadlineEngine.carry(other)) {
                    if (fails) {
                        upstream.completeExceptionally(new IllegalArgumentException("unchecked"));
                    } else {
                        upstream.complete("again");
                    }
                }
            });
            if (!isJob && round.chance()) {
                round.aim(round::abort);
            }
            done(round, answer, IllegalArgumentException.class);
            // Else the pause may not have fitted.
            if (isJob || round.scope.remaining().toHours() > 0) {
                assertThat(answer).isCompletedWithValue("answer");
                assertThat(attempts).hasValue(2);
                assertThat(breaker.getMetrics().getNumberOfSuccessfulCalls()).isEqualTo(fails ? 1 : 2);
                assertThat(breaker.getMetrics().getNumberOfFailedCalls()).isEqualTo(fails ? 1 : 0);
            }
        });
    }

    private static void done(Round round, CompletionStage<?> answer, Class<?>... failures) throws Exception {
        try {
            answer.toCompletableFuture().get(1, TimeUnit.SECONDS);
        } catch (ExecutionException ex) {
            round.threw(ex.getCause(), failures);
        }
    }
}
