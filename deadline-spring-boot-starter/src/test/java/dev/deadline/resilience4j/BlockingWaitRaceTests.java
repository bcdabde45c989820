package dev.deadline.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Section;
import dev.deadline.resilience4j.WaitRaces.Body;
import dev.deadline.resilience4j.WaitRaces.Round;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadFullException;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.retry.RetryRegistry;
import io.github.resilience4j.timelimiter.TimeLimiter;
import io.github.resilience4j.timelimiter.TimeLimiterConfig;
import io.github.resilience4j.timelimiter.TimeLimiterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The end of the time, of the client's patience and of a wait meet, on a thread that waits. */
class BlockingWaitRaceTests {

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(1);

    private final BoundedRegistries registries = new BoundedRegistries(false);

    private final WaitRaces races = new WaitRaces();

    @AfterEach
    void close() {
        this.races.close();
    }

    @Test
    void endInTheBackoffOfARetry() throws Exception {
        RetryConfig config = RetryConfig.custom()
                .maxAttempts(4)
                .waitDuration(Duration.ofMillis(1))
                .retryOnResult("again"::equals)
                .build();
        RetryRegistry retries = (RetryRegistry) this.registries.bounded(RetryRegistry.of(config));
        Retry retry = retries.retry("some");
        RetryConfig slow =
                RetryConfig.from(config).waitDuration(Duration.ofMinutes(5)).build();
        Retry endless = retries.retry("endless", slow);
        this.races.race("backoff", thread -> round -> {
            if (round.random.nextInt(4) == 0) {
                waitForAbort(round, endless);
                return;
            }
            int aimed = 1 + round.random.nextInt(4);
            AtomicInteger attempts = new AtomicInteger();
            AtomicLong notBefore = new AtomicLong(System.nanoTime());
            Callable<String> upstream = () -> {
                round.begins(notBefore.get());
                int attempt = attempts.incrementAndGet();
                if (attempt == aimed) {
                    round.at(System.nanoTime() + PAUSE + round.jitter(), round::abort);
                }
                int answer = round.random.nextInt(3);
                notBefore.set(System.nanoTime() + PAUSE);
                if (answer == 0) {
                    throw new IOException("checked");
                }
                if (answer == 1) {
                    throw new IllegalArgumentException("unchecked");
                }
                return "again";
            };
            // In a shield no interrupt ends the pause, so that it always runs into the look that follows it.
            try (Section section = round.chance() ? DeadlineEngine.shield() : DeadlineEngine.carry(round.scope)) {
                Retry.decorateCallable(retry, upstream).call();
            } catch (Exception ex) {
                round.threw(ex, IOException.class, IllegalArgumentException.class);
            }
            assertThat(attempts).hasValueLessThanOrEqualTo(4);
        });
    }

    private static void waitForAbort(Round round, Retry endless) throws Exception {
        AtomicLong notBefore = new AtomicLong(System.nanoTime());
        round.aim(round::abort);
        Callable<String> upstream = () -> {
            round.begins(notBefore.getAndSet(Long.MAX_VALUE));
            if (round.chance()) {
                throw new IOException("checked");
            }
            return "again";
        };
        try {
            // The last result stands if the time is too short for the pause.
            assertThat(Retry.decorateCallable(endless, upstream).call()).isEqualTo("again");
        } catch (IOException ex) {
            // So does the last failure.
        } catch (Exception ex) {
            round.threw(ex);
        }
        assertThat(System.nanoTime() - round.aim).isLessThan(TimeUnit.SECONDS.toNanos(10));
    }

    @Test
    void endInTheWaitForABulkhead() throws Exception {
        BulkheadRegistry bulkheads = bulkheads(2, Duration.ofMinutes(5));
        Bulkhead contended = bulkheads.bulkhead("contended");
        BulkheadConfig single = BulkheadConfig.custom()
                .maxConcurrentCalls(1)
                .maxWaitDuration(Duration.ofMinutes(5))
                .build();
        this.races.race("bulkhead", thread -> {
            Bulkhead alone = bulkheads.bulkhead("alone " + thread, single);
            return round -> {
                if (round.random.nextInt(3) == 0) {
                    round.aim(round::abort);
                    long asked = System.nanoTime();
                    enter(round, contended, new AtomicLong(asked));
                } else {
                    waitAlone(round, alone);
                    assertThat(alone.getMetrics().getAvailableConcurrentCalls()).isOne();
                }
            };
        });
        assertThat(contended.getMetrics().getAvailableConcurrentCalls()).isEqualTo(2);
    }

    private static void waitAlone(Round round, Bulkhead bulkhead) throws Exception {
        Bulkhead inner = ((BoundedBulkhead) bulkhead).entry();
        inner.acquirePermission();
        AtomicLong notBefore = new AtomicLong();
        CompletableFuture<Void> released = new CompletableFuture<>();
        Runnable release = () -> {
            notBefore.set(System.nanoTime());
            inner.releasePermission();
            released.complete(null);
        };
        boolean freed = round.random.nextInt(4) > 0;
        if (!freed) {
            round.aim(round::abort);
        } else if (round.chance()) {
            round.aim(() -> {
                round.abort();
                release.run();
            });
        } else {
            round.aim(release);
            if (round.chance()) {
                round.aim(round::abort);
            }
        }
        enter(round, bulkhead, notBefore);
        if (!freed) {
            assertThat(round.scope.isExpired()).as("nothing else ends the wait").isTrue();
            release.run();
        }
        released.get(10, TimeUnit.SECONDS);
    }

    private static void enter(Round round, Bulkhead bulkhead, AtomicLong notBefore) {
        try {
            if (round.chance()) {
                Bulkhead.decorateRunnable(bulkhead, () -> occupy(round, notBefore.get()))
                        .run();
            } else {
                CompletableFuture<?> answer = bulkhead.<String>executeCompletionStage(() -> {
                            occupy(round, notBefore.get());
                            return CompletableFuture.completedFuture("answer");
                        })
                        .toCompletableFuture();
                answer.get(1, TimeUnit.SECONDS);
            }
        } catch (ExecutionException ex) {
            round.threw(ex.getCause(), BulkheadFullException.class);
        } catch (Exception ex) {
            round.threw(ex, BulkheadFullException.class);
        }
    }

    private static void occupy(Round round, long notBefore) {
        round.begins(notBefore);
        LockSupport.parkNanos(1_000 * (1 + round.random.nextInt(300)));
    }

    private BulkheadRegistry bulkheads(int calls, Duration wait) {
        return (BulkheadRegistry) this.registries.bounded(BulkheadRegistry.of(BulkheadConfig.custom()
                .maxConcurrentCalls(calls)
                .maxWaitDuration(wait)
                .build()));
    }

    /** The permits come with the next period, which begins when all the rest happens. */
    @Test
    void endInTheWaitForARateLimiter() throws Exception {
        this.races.race("rate limiter", thread -> round -> {
            long period = Math.max(100_000, round.aim - System.nanoTime() - round.random.nextLong(100_000));
            long made = System.nanoTime();
            RateLimiter limiter = limiter(1, Duration.ofNanos(period));
            assertThat(inner(limiter).acquirePermission()).isTrue();
            if (round.chance()) {
                round.aim(round::abort);
            }
            boolean permitted = false;
            try {
                permitted = limiter.acquirePermission();
            } catch (RuntimeException ex) {
                round.threw(ex);
            }
            int available = limiter.getMetrics().getAvailablePermissions();
            boolean stillFirst = System.nanoTime() - made < period;
            assertThat(available).isLessThanOrEqualTo(1);
            if (permitted) {
                round.begins(made + period);
            } else if (stillFirst) {
                assertThat(available).as("given back").isZero();
            }
        });
    }

    /** Many reservations are made and given back at once, of permits that never come. */
    @Test
    void giveBackWhatTheyReserved() throws Exception {
        RateLimiter limiter = limiter(3, Duration.ofHours(1));
        RateLimiter inner = inner(limiter);
        inner.acquirePermission(3);
        AtomicInteger booked = new AtomicInteger();
        inner.getEventPublisher().onSuccess(event -> booked.addAndGet(event.getNumberOfPermits()));
        this.races.race("reservations", thread -> round -> {
            round.aim(round::abort);
            int permits = 1 + round.random.nextInt(3);
            try {
                if (round.chance()) {
                    limiter.reservePermission(permits);
                } else {
                    limiter.acquirePermission(permits);
                }
            } catch (RuntimeException ex) {
                round.threw(ex);
            }
            waitForEnd(round);
        });
        await().untilAsserted(() -> assertThat(booked).hasValue(0));
        assertThat(limiter.getMetrics().getAvailablePermissions()).isZero();
    }

    private static void waitForEnd(Round round) {
        while (!round.scope.isExpired()) {
            Thread.onSpinWait();
        }
    }

    private RateLimiter limiter(int permits, Duration period) {
        return ((RateLimiterRegistry) this.registries.bounded(RateLimiterRegistry.of(RateLimiterConfig.custom()
                        .limitForPeriod(permits)
                        .limitRefreshPeriod(period)
                        .timeoutDuration(Duration.ofDays(365))
                        .build())))
                .rateLimiter("some");
    }

    private static RateLimiter inner(RateLimiter limiter) {
        return ((BoundedRateLimiter) limiter).entry();
    }

    @Test
    void endInTheWaitOfATimeLimiter() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        TimeLimiterRegistry limiters = (TimeLimiterRegistry) this.registries.bounded(TimeLimiterRegistry.ofDefaults());
        TimeLimiter patient = limiters.timeLimiter(
                "patient",
                TimeLimiterConfig.custom()
                        .timeoutDuration(Duration.ofSeconds(9))
                        .build());
        TimeLimiter hasty = limiters.timeLimiter(
                "hasty",
                TimeLimiterConfig.custom().timeoutDuration(Duration.ofMillis(1)).build());
        try {
            this.races.race("time limiter", thread -> limited(pool, patient, hasty));
        } finally {
            pool.shutdownNow();
        }
    }

    private static Body limited(ExecutorService pool, TimeLimiter patient, TimeLimiter hasty) {
        return round -> {
            boolean byFuture = round.chance();
            CompletableFuture<String> upstream = new CompletableFuture<>();
            long end = round.aim + round.jitter();
            if (byFuture) {
                round.at(end, () -> upstream.complete("answer"));
            }
            if (round.chance()) {
                round.aim(round::abort);
            }
            Future<?>[] asked = new Future<?>[1];
            long called = System.nanoTime();
            Callable<Object> call = (round.chance() ? patient : hasty).decorateFutureSupplier(() -> {
                round.begins(called);
                asked[0] = byFuture ? upstream : pool.submit(() -> parkUntil(end));
                @SuppressWarnings("unchecked")
                Future<Object> future = (Future<Object>) asked[0];
                return future;
            });
            try {
                call.call();
            } catch (Exception ex) {
                round.threw(ex, TimeoutException.class);
            }
            assertThat(asked[0] == null || asked[0].isDone())
                    .as("a future that nobody waits for is over")
                    .isTrue();
            assertThat(pool.submit(() -> Thread.currentThread().isInterrupted()).get(1, TimeUnit.SECONDS))
                    .as("leaked flag of a pool")
                    .isFalse();
        };
    }

    private static String parkUntil(long end) {
        while (end - System.nanoTime() > 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
        return "answer";
    }
}
