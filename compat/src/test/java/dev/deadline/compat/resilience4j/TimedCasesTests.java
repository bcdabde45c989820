package dev.deadline.compat.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deadline.Reason;
import dev.deadline.compat.resilience4j.NamedApplication.Outcome;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadFullException;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.bulkhead.ThreadPoolBulkhead;
import io.github.resilience4j.bulkhead.ThreadPoolBulkheadConfig;
import io.github.resilience4j.bulkhead.ThreadPoolBulkheadRegistry;
import io.github.resilience4j.timelimiter.TimeLimiter;
import io.github.resilience4j.timelimiter.TimeLimiterConfig;
import io.github.resilience4j.timelimiter.TimeLimiterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Time limiters, and the calls that go on elsewhere than on the caller's thread. */
@EnabledIfSystemProperty(named = "deadline.slow-tests", matches = "true")
@Timeout(60)
class TimedCasesTests {

    @AfterAll
    static void stopApplication() {
        NamedApplication.stop();
    }

    private static final Duration SHORT = Duration.ofMillis(500);

    private static final Duration LONG = Duration.ofSeconds(60);

    private final TimedCalls calls = NamedApplication.bean(TimedCalls.class);

    private static TimeLimiter limiter(Duration limit) {
        return NamedApplication.bean(TimeLimiterRegistry.class)
                .timeLimiter(
                        NamedApplication.name(),
                        TimeLimiterConfig.custom().timeoutDuration(limit).build());
    }

    private static Outcome within(Duration budget, boolean step, Callable<?> call) {
        return NamedApplication.within(budget, step ? NamedApplication.inStep(call) : call);
    }

    private static void wasStopped(Outcome outcome) {
        outcome.isAtOnce();
        assertThat(outcome.reason()).isIn(Reason.BUDGET_EXHAUSTED, Reason.UPSTREAM_TIMEOUT);
    }

    /** A limit beyond the deadline is the deadline, and the upstream is told. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void deadlineCutsTheStageOfALongerLimit(boolean step) {
        CompletableFuture<String> silent = new CompletableFuture<>();
        String name = limiter(LONG).getName();

        wasStopped(within(SHORT, step, () -> this.calls.stage(name, silent)));

        await().until(silent::isCancelled);
    }

    /** A limit beyond the deadline is the deadline, and the upstream is told. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void deadlineCutsTheMonoOfALongerLimit(boolean step) {
        AtomicBoolean cancelled = new AtomicBoolean();
        Mono<String> silent = Mono.<String>never().doOnCancel(() -> cancelled.set(true));
        String name = limiter(LONG).getName();

        wasStopped(within(SHORT, step, () -> this.calls.mono(name, silent)));

        await().untilTrue(cancelled);
    }

    /** A limit beyond the deadline is the deadline, and the upstream is told. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void deadlineCutsTheFluxOfALongerLimit(boolean step) {
        AtomicBoolean cancelled = new AtomicBoolean();
        Flux<String> silent = Flux.<String>never().doOnCancel(() -> cancelled.set(true));
        String name = limiter(LONG).getName();

        wasStopped(within(SHORT, step, () -> this.calls.flux(name, silent)));

        await().untilTrue(cancelled);
    }

    @Test
    void shorterLimitIsTheLimit() {
        String name = limiter(SHORT).getName();
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        failures.add(within(LONG, false, () -> this.calls.stage(name, new CompletableFuture<>()))
                .failure());
        failures.add(
                within(LONG, false, () -> this.calls.mono(name, Mono.never())).failure());
        failures.add(
                within(LONG, false, () -> this.calls.flux(name, Flux.never())).failure());

        assertThat(failures)
                .hasSize(3)
                .allSatisfy(failure -> assertThat(failure).hasRootCauseInstanceOf(TimeoutException.class));
    }

    /** The place is given back and the call of the upstream cancelled when time is up, not when it ends by itself. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void stageInABulkheadIsCancelled(boolean step) {
        CompletableFuture<String> silent = new CompletableFuture<>();
        Bulkhead bulkhead = NamedApplication.bean(BulkheadRegistry.class)
                .bulkhead(
                        NamedApplication.name(),
                        BulkheadConfig.custom().maxConcurrentCalls(1).build());

        wasStopped(within(SHORT, step, () -> this.calls.queued(bulkhead.getName(), silent)));

        await().until(silent::isCancelled);
        await().until(() -> bulkhead.getMetrics().getAvailableConcurrentCalls() == 1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void limitedStageIsCancelled(boolean step) {
        CompletableFuture<String> silent = new CompletableFuture<>();

        wasStopped(within(SHORT, step, () -> this.calls.limited(NamedApplication.name(), silent)));

        await().until(silent::isCancelled);
    }

    private static ThreadPoolBulkhead pool(int queue) {
        return NamedApplication.bean(ThreadPoolBulkheadRegistry.class)
                .bulkhead(
                        NamedApplication.name(),
                        ThreadPoolBulkheadConfig.custom()
                                .coreThreadPoolSize(1)
                                .maxThreadPoolSize(1)
                                .queueCapacity(queue)
                                .build());
    }

    /** What is queued does not begin when its time is up. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void queuedCallNeverReachesTheUpstream(boolean step) {
        ThreadPoolBulkhead pool = pool(5);
        CountDownLatch busy = new CountDownLatch(1);
        pool.submit(() -> busy.await(30, TimeUnit.SECONDS));
        CountedUpstream upstream = CountedUpstream.answering("done");

        wasStopped(within(SHORT, step, () -> this.calls.pooled(pool.getName(), upstream)));

        assertThat(pool.getMetrics().getQueueDepth()).isOne();
        busy.countDown();
        await().until(() -> pool.getMetrics().getQueueDepth() == 0);
        assertThat(GuardedCalls.awaited(pool.submit(() -> "next"))).isEqualTo("next");
        assertThat(upstream.asked()).isZero();
    }

    /** What runs is stopped, so that its thread is there for others, with no interrupt left over. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void runningCallLeavesTheThread(boolean step) {
        ThreadPoolBulkhead pool = pool(5);
        AtomicBoolean interrupted = new AtomicBoolean();
        CountedUpstream upstream = new CountedUpstream(attempt -> {
            try {
                return new CountDownLatch(1).await(30, TimeUnit.SECONDS) ? "never" : "too late";
            } catch (InterruptedException ex) {
                interrupted.set(true);
                throw new IllegalStateException(ex);
            }
        });

        wasStopped(within(SHORT, step, () -> this.calls.pooled(pool.getName(), upstream)));

        assertThat(GuardedCalls.awaited(
                        pool.submit(() -> Thread.currentThread().isInterrupted() ? "interrupted" : "clean")))
                .isEqualTo("clean");
        assertThat(interrupted).isTrue();
        assertThat(upstream.asked()).isOne();
    }

    @Test
    void fullPoolSaysThatItIsFull() {
        ThreadPoolBulkhead pool = pool(1);
        CountDownLatch busy = new CountDownLatch(1);
        pool.submit(() -> busy.await(30, TimeUnit.SECONDS));
        pool.submit(() -> "queued");
        CountedUpstream upstream = CountedUpstream.answering("done");

        Outcome outcome = within(LONG, false, () -> this.calls.pooled(pool.getName(), upstream));
        Outcome step = within(LONG, true, () -> this.calls.pooled(pool.getName(), upstream));

        busy.countDown();
        assertThat(outcome.failure()).isInstanceOf(BulkheadFullException.class);
        assertThat(step.reason()).isEqualTo(Reason.UPSTREAM_ERROR);
        assertThat(upstream.asked()).isZero();
    }
}
