package dev.deadline.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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

    private static void done(Round round, CompletionStage<?> answer, Class<?>... failures) throws Exception {
        try {
            answer.toCompletableFuture().get(1, TimeUnit.SECONDS);
        } catch (ExecutionException ex) {
            round.threw(ex.getCause(), failures);
        }
    }
}
