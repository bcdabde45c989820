package dev.deadline.compat.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deadline.Reason;
import dev.deadline.compat.resilience4j.NamedApplication.Outcome;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.bulkhead.ThreadPoolBulkhead;
import io.github.resilience4j.bulkhead.ThreadPoolBulkheadConfig;
import io.github.resilience4j.bulkhead.ThreadPoolBulkheadRegistry;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.github.resilience4j.reactor.bulkhead.operator.BulkheadOperator;
import io.github.resilience4j.reactor.circuitbreaker.operator.CircuitBreakerOperator;
import io.github.resilience4j.reactor.ratelimiter.operator.RateLimiterOperator;
import io.github.resilience4j.reactor.retry.RetryOperator;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.retry.RetryRegistry;
import io.github.resilience4j.timelimiter.TimeLimiter;
import io.github.resilience4j.timelimiter.TimeLimiterConfig;
import io.github.resilience4j.timelimiter.TimeLimiterRegistry;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** Without annotations: what comes from the registries is bounded wherever it is used, in a step and without one. */
@EnabledIfSystemProperty(named = "deadline.slow-tests", matches = "true")
@Timeout(60)
class DecoratorsTests {

    @AfterAll
    static void stopApplication() {
        NamedApplication.stop();
    }

    private static final Duration SHORT = Duration.ofMillis(500);

    private static final Duration LONG = Duration.ofSeconds(60);

    private static final ScheduledExecutorService SCHEDULER = Executors.newScheduledThreadPool(1);

    private final CountedUpstream upstream = CountedUpstream.answering("done");

    private final CountedUpstream failing = CountedUpstream.failing();

    @AfterAll
    static void stop() {
        SCHEDULER.shutdownNow();
    }

    private static Retry retry(Duration pause) {
        return NamedApplication.bean(RetryRegistry.class)
                .retry(
                        NamedApplication.name(),
                        RetryConfig.custom().maxAttempts(3).waitDuration(pause).build());
    }

    /** A bulkhead with one place, which is taken. */
    private static Bulkhead fullBulkhead() {
        Bulkhead bulkhead = NamedApplication.bean(BulkheadRegistry.class)
                .bulkhead(
                        NamedApplication.name(),
                        BulkheadConfig.custom()
                                .maxConcurrentCalls(1)
                                .maxWaitDuration(LONG)
                                .build());
        bulkhead.acquirePermission();
        return bulkhead;
    }

    /** A limiter whose next permit is there after a minute. */
    private static RateLimiter emptyLimiter() {
        RateLimiter limiter = NamedApplication.bean(RateLimiterRegistry.class)
                .rateLimiter(
                        NamedApplication.name(),
                        RateLimiterConfig.custom()
                                .limitForPeriod(1)
                                .limitRefreshPeriod(LONG)
                                .timeoutDuration(LONG)
                                .build());
        assertThat(limiter.acquirePermission()).isTrue();
        return limiter;
    }

    private static CircuitBreaker breaker() {
        return NamedApplication.bean(CircuitBreakerRegistry.class).circuitBreaker(NamedApplication.name());
    }

    private static Outcome within(Duration budget, boolean step, Callable<?> call) {
        return NamedApplication.within(budget, step ? NamedApplication.inStep(call) : call);
    }

    private static void wasStopped(Outcome outcome) {
        outcome.isAtOnce();
        assertThat(outcome.reason()).isIn(Reason.BUDGET_EXHAUSTED, Reason.UPSTREAM_TIMEOUT);
    }

    private static void hasAllPlaces(Bulkhead bulkhead) {
        bulkhead.onComplete();
        await().until(() -> bulkhead.getMetrics().getAvailableConcurrentCalls() == 1);
        assertThat(bulkhead.tryAcquirePermission()).isTrue();
    }

    private static void abortSoon() {
        Scope scope = DeadlineEngine.currentScope();
        CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS).execute(() -> scope.cancel(Reason.CLIENT_ABORT));
    }

    /** In the pause after the first attempt, however long it takes to get there. */
    private void abortInThePause() {
        Scope scope = DeadlineEngine.currentScope();
        CompletableFuture.runAsync(() -> await().pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(5))
                        .until(() -> this.failing.asked() > 0))
                .thenRunAsync(
                        () -> scope.cancel(Reason.CLIENT_ABORT),
                        CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void pausesOfASupplierFit(boolean step) {
        Supplier<String> call = Retry.decorateSupplier(retry(LONG), this.failing::ask);

        Outcome outcome = within(Duration.ofSeconds(10), step, call::get);

        outcome.isAtOnce();
        assertThat(outcome.failure()).hasMessage("sick 1");
        assertThat(this.failing.asked()).isOne();
    }

    /** In the order of {@code Decorators}: a retry of all that waits further in. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void waitForAPlaceInASupplierEnds(boolean step) {
        Bulkhead bulkhead = fullBulkhead();
        CircuitBreaker breaker = breaker();
        Supplier<String> call = Retry.decorateSupplier(
                retry(Duration.ofMillis(1)),
                CircuitBreaker.decorateSupplier(breaker, Bulkhead.decorateSupplier(bulkhead, this.upstream::ask)));

        wasStopped(within(SHORT, step, call::get));

        hasAllPlaces(bulkhead);
        assertThat(breaker.getMetrics().getNumberOfFailedCalls()).isZero();
        assertThat(this.upstream.asked()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void waitForAPermitInACallableIsRefused(boolean step) {
        RateLimiter limiter = emptyLimiter();
        Callable<String> call = Retry.decorateCallable(
                retry(Duration.ofMillis(1)), RateLimiter.decorateCallable(limiter, this.upstream::ask));

        Outcome outcome = within(Duration.ofSeconds(10), step, call);

        outcome.isAtOnce();
        assertThat(outcome.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED);
        assertThat(limiter.getMetrics().getAvailablePermissions()).isZero();
        assertThat(this.upstream.asked()).isZero();
    }

    @Test
    void openBreakerSaysThatItIsOpen() {
        CircuitBreaker breaker = breaker();
        breaker.transitionToOpenState();
        Callable<String> call = CircuitBreaker.decorateCallable(breaker, this.upstream::ask);

        assertThat(within(LONG, false, call).failure()).isInstanceOf(CallNotPermittedException.class);
        assertThat(within(LONG, true, call).reason()).isEqualTo(Reason.UPSTREAM_ERROR);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void futureThatATimeLimiterWaitsForIsCancelled(boolean step) {
        TimeLimiter limiter = NamedApplication.bean(TimeLimiterRegistry.class)
                .timeLimiter(
                        NamedApplication.name(),
                        TimeLimiterConfig.custom()
                                .timeoutDuration(LONG)
                                .cancelRunningFuture(true)
                                .build());
        CompletableFuture<String> silent = new CompletableFuture<>();

        wasStopped(within(SHORT, step, TimeLimiter.decorateFutureSupplier(limiter, () -> silent)));

        await().until(silent::isCancelled);
    }

    /** A stage, through a pool, a time limiter and a retry. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void stageFromAPoolEnds(boolean step) {
        ThreadPoolBulkhead pool = NamedApplication.bean(ThreadPoolBulkheadRegistry.class)
                .bulkhead(
                        NamedApplication.name(),
                        ThreadPoolBulkheadConfig.custom()
                                .coreThreadPoolSize(1)
                                .maxThreadPoolSize(1)
                                .queueCapacity(5)
                                .build());
        CountDownLatch busy = new CountDownLatch(1);
        pool.submit(() -> busy.await(30, TimeUnit.SECONDS));
        TimeLimiter limiter = NamedApplication.bean(TimeLimiterRegistry.class)
                .timeLimiter(
                        NamedApplication.name(),
                        TimeLimiterConfig.custom().timeoutDuration(LONG).build());
        Supplier<CompletionStage<String>> call = Retry.decorateCompletionStage(
                retry(Duration.ofMillis(1)),
                SCHEDULER,
                TimeLimiter.decorateCompletionStage(
                        limiter, SCHEDULER, ThreadPoolBulkhead.decorateSupplier(pool, this.upstream::ask)));

        wasStopped(within(SHORT, step, call::get));

        busy.countDown();
        assertThat(GuardedCalls.awaited(pool.submit(() -> "next"))).isEqualTo("next");
        assertThat(this.upstream.asked()).isZero();
    }

    /** The instance's own method knows the deadline on the threads of the scheduler too. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void stageOfARetryEndsInItsPause(boolean step) {
        Retry retry = retry(SHORT);
        Callable<?> call = () -> retry.executeCompletionStage(SCHEDULER, this.failing::stage);

        Outcome outcome = NamedApplication.within(LONG, () -> {
            abortInThePause();
            return step ? NamedApplication.inStep(call).call() : call.call();
        });

        assertThat(outcome.reason()).isEqualTo(Reason.CLIENT_ABORT);
        // One that had been scheduled would have come before this one.
        assertThat(GuardedCalls.awaited(after(SHORT))).isEqualTo("later");
        assertThat(this.failing.asked()).isOne();
    }

    /** The second attempt begins on a thread of the scheduler, and goes on when that thread has left it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void laterAttemptOfAStageIsCutToo(boolean step) {
        Retry retry = retry(Duration.ofMillis(1));
        Bulkhead bulkhead = fullBulkhead();
        bulkhead.onComplete();
        CompletableFuture<String> silent = new CompletableFuture<>();

        wasStopped(within(
                SHORT,
                step,
                () -> retry.executeCompletionStage(
                        SCHEDULER,
                        () -> (this.failing.asked() == 0)
                                ? this.failing.stage()
                                : bulkhead.executeCompletionStage(() -> silent))));

        await().until(silent::isCancelled);
        await().until(() -> bulkhead.getMetrics().getAvailableConcurrentCalls() == 1);
    }

    private static CompletableFuture<String> after(Duration time) {
        CompletableFuture<String> later = new CompletableFuture<>();
        SCHEDULER.schedule(() -> later.complete("later"), time.toMillis(), TimeUnit.MILLISECONDS);
        return later;
    }

    /**
     * The limit of the static method: attempts on the threads of the scheduler know of no deadline. No pause begins that
     * does not fit, but one that was begun is followed by an attempt.
     */
    @Test
    void staticStageOfARetryGoesOnAfterItsPause() {
        Supplier<CompletionStage<String>> call =
                Retry.decorateCompletionStage(retry(SHORT), SCHEDULER, this.failing::stage);

        Outcome outcome = NamedApplication.within(LONG, () -> {
            abortInThePause();
            return NamedApplication.inStep(call::get).call();
        });

        assertThat(outcome.reason()).isEqualTo(Reason.CLIENT_ABORT);
        await().until(() -> this.failing.asked() == 2);
        // The attempt failed, the time is known to be over, and there is no third.
        assertThat(GuardedCalls.awaited(after(SHORT.multipliedBy(2)))).isEqualTo("later");
        assertThat(this.failing.asked()).isEqualTo(2);
    }

    /** The limit of what is made by hand: it knows of no deadline, though a step still answers in time. */
    @Test
    void instanceMadeByHandIsOutOfReach() {
        Retry retry = Retry.of(
                "by-hand",
                RetryConfig.custom().maxAttempts(2).waitDuration(LONG).build());

        Outcome outcome = within(
                SHORT,
                true,
                () -> Retry.decorateSupplier(retry, this.failing::ask).get());

        // The pause was begun, and the interrupt of the step ended it.
        wasStopped(outcome);
        assertThat(outcome.after()).isGreaterThanOrEqualTo(SHORT.minusMillis(50));
        assertThat(this.failing.asked()).isOne();
    }

    private static Outcome monoStep(Duration budget, Mono<String> mono) {
        return within(budget, true, () -> mono);
    }

    @Test
    void pausesOfAnOperatorFit() {
        Retry retry = retry(LONG);

        Outcome outcome =
                monoStep(Duration.ofSeconds(10), this.failing.mono().transformDeferred(RetryOperator.of(retry)));

        outcome.isAtOnce();
        assertThat(outcome.failure()).hasMessage("sick 1");
        assertThat(this.failing.asked()).isOne();
    }

    @Test
    void pauseOfAnOperatorEnds() {
        Retry retry = retry(SHORT);
        Mono<String> mono = this.failing.mono().transformDeferred(RetryOperator.of(retry));

        Outcome outcome = NamedApplication.within(LONG, () -> {
            abortInThePause();
            return NamedApplication.inStep(() -> mono).call();
        });

        assertThat(outcome.reason()).isEqualTo(Reason.CLIENT_ABORT);
        assertThat(GuardedCalls.awaited(after(SHORT.multipliedBy(2)))).isEqualTo("later");
        assertThat(this.failing.asked()).isOne();
    }

    @Test
    void waitOfABulkheadOperatorEnds() {
        Bulkhead bulkhead = fullBulkhead();

        wasStopped(monoStep(SHORT, this.upstream.mono().transformDeferred(BulkheadOperator.of(bulkhead))));

        hasAllPlaces(bulkhead);
        assertThat(this.upstream.asked()).isZero();
    }

    @Test
    void callInABulkheadOperatorGivesItsPlaceBack() {
        Bulkhead bulkhead = fullBulkhead();
        bulkhead.onComplete();
        AtomicBoolean cancelled = new AtomicBoolean();
        Mono<String> silent = Mono.<String>never().doOnCancel(() -> cancelled.set(true));

        wasStopped(monoStep(SHORT, silent.transformDeferred(BulkheadOperator.of(bulkhead))));

        await().untilTrue(cancelled);
        await().until(() -> bulkhead.getMetrics().getAvailableConcurrentCalls() == 1);
    }

    @Test
    void waitOfARateLimiterOperatorIsRefused() {
        RateLimiter limiter = emptyLimiter();

        Outcome outcome = monoStep(
                Duration.ofSeconds(10), this.upstream.mono().transformDeferred(RateLimiterOperator.of(limiter)));

        outcome.isAtOnce();
        assertThat(outcome.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED);
        assertThat(limiter.getMetrics().getAvailablePermissions()).isZero();
        assertThat(this.upstream.asked()).isZero();
    }

    /** The limit of that operator: it waits on for who has left, who gives the permit back but not up. */
    @Test
    void waitOfARateLimiterOperatorThatWasAbandonedGivesThePermitBack() {
        RateLimiter limiter = emptyLimiter();
        CompletableFuture<Scope> request = new CompletableFuture<>();
        limiter.getEventPublisher()
                .onSuccess(reserved -> request.thenAcceptAsync(
                        scope -> scope.cancel(Reason.CLIENT_ABORT),
                        CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS)));
        Mono<String> mono = this.upstream.mono().transformDeferred(RateLimiterOperator.of(limiter));

        Outcome outcome = NamedApplication.within(LONG.multipliedBy(2), () -> {
            request.complete(DeadlineEngine.currentScope());
            return NamedApplication.inStep(() -> mono).call();
        });

        outcome.isAtOnce();
        assertThat(outcome.reason()).isEqualTo(Reason.CLIENT_ABORT);
        await().until(() -> limiter.getMetrics().getAvailablePermissions() == 0);
        assertThat(this.upstream.asked()).isZero();
    }

    @Test
    void abortOfABreakerOperatorGivesItsPermitBack() {
        CircuitBreaker breaker = breaker();
        breaker.transitionToOpenState();
        breaker.transitionToHalfOpenState();
        Mono<String> silent = Mono.<String>never().transformDeferred(CircuitBreakerOperator.of(breaker));
        int permits = breaker.getCircuitBreakerConfig().getPermittedNumberOfCallsInHalfOpenState();

        for (int i = 0; i <= permits; i++) {
            Outcome outcome = NamedApplication.within(LONG, () -> {
                abortSoon();
                return NamedApplication.inStep(() -> silent).call();
            });
            assertThat(outcome.reason()).isEqualTo(Reason.CLIENT_ABORT);
        }

        assertThat(breaker.getState()).isEqualTo(CircuitBreaker.State.HALF_OPEN);
        assertThat(breaker.getMetrics().getNumberOfBufferedCalls()).isZero();
    }
}
