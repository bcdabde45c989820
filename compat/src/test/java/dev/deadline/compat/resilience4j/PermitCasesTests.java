package dev.deadline.compat.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deadline.Reason;
import dev.deadline.StepFailedException;
import dev.deadline.compat.resilience4j.NamedApplication.Outcome;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadFullException;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.github.resilience4j.ratelimiter.RequestNotPermitted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Bulkheads and rate limiters by annotation. */
@EnabledIfSystemProperty(named = "deadline.slow-tests", matches = "true")
@Timeout(60)
class PermitCasesTests {

    @AfterAll
    static void stopApplication() {
        NamedApplication.stop();
    }

    private static final Duration LONG = Duration.ofSeconds(60);

    private final NamedCalls queued = NamedApplication.bean(NamedCalls.Queued.class);

    private final NamedCalls limited = NamedApplication.bean(NamedCalls.Limited.class);

    private final CountedUpstream upstream = CountedUpstream.answering("done");

    static Stream<Arguments> formsWithAndWithoutStep() {
        return Stream.of(CallForm.values())
                .flatMap(form -> Stream.of(Arguments.of(form, false), Arguments.of(form, true)));
    }

    private static Bulkhead bulkhead(int places, Duration wait) {
        return NamedApplication.bean(BulkheadRegistry.class)
                .bulkhead(
                        NamedApplication.name(),
                        BulkheadConfig.custom()
                                .maxConcurrentCalls(places)
                                .maxWaitDuration(wait)
                                .build());
    }

    private static RateLimiter limiter(Duration period, Duration wait) {
        return NamedApplication.bean(RateLimiterRegistry.class)
                .rateLimiter(
                        NamedApplication.name(),
                        RateLimiterConfig.custom()
                                .limitForPeriod(1)
                                .limitRefreshPeriod(period)
                                .timeoutDuration(wait)
                                .build());
    }

    private Outcome outcome(Duration budget, NamedCalls calls, CallForm form, boolean step, String name) {
        Callable<?> call = () -> NamedCalls.call(calls, form, name, this.upstream);
        return NamedApplication.within(budget, step ? NamedApplication.inStep(call) : call);
    }

    /** C57: full is full as long as there is time. */
    @ParameterizedTest
    @MethodSource("formsWithAndWithoutStep")
    void fullBulkheadSaysThatItIsFull(CallForm form, boolean step) {
        Bulkhead bulkhead = bulkhead(1, Duration.ofMillis(50));
        bulkhead.acquirePermission();

        Outcome outcome = outcome(LONG, this.queued, form, step, bulkhead.getName());

        if (step) {
            assertThat(outcome.failure())
                    .isInstanceOf(StepFailedException.class)
                    .hasCauseInstanceOf(BulkheadFullException.class);
            assertThat(outcome.reason()).isEqualTo(Reason.UPSTREAM_ERROR);
        } else {
            assertThat(outcome.failure()).isInstanceOf(BulkheadFullException.class);
        }
        assertThat(this.upstream.asked()).isZero();
    }

    /** C57: a wait that was cut says what it was for, and not that the bulkhead was full. */
    @ParameterizedTest
    @MethodSource("formsWithAndWithoutStep")
    void cutWaitSaysWhatItWasFor(CallForm form, boolean step) {
        Bulkhead bulkhead = bulkhead(1, LONG);
        bulkhead.acquirePermission();

        Outcome outcome = outcome(Duration.ofMillis(400), this.queued, form, step, bulkhead.getName());

        outcome.isAtOnce();
        assertThat(outcome.reason()).isIn(Reason.BUDGET_EXHAUSTED, Reason.UPSTREAM_TIMEOUT);
        if (!step || form == CallForm.BLOCKING) {
            assertThat(NamedApplication.told(outcome.failure()))
                    .contains("bulkhead '" + bulkhead.getName() + "'")
                    .doesNotContain("BulkheadFullException");
        }
        bulkhead.onComplete();
        await().untilAsserted(() ->
                assertThat(bulkhead.getMetrics().getAvailableConcurrentCalls()).isOne());
        assertThat(this.upstream.asked()).isZero();
    }

    /** C57: nobody waits for it any more, so nobody waits for a place. */
    @ParameterizedTest
    @EnumSource(CallForm.class)
    void abortEndsTheWaitForAPlace(CallForm form) {
        Bulkhead bulkhead = bulkhead(1, LONG);
        bulkhead.acquirePermission();

        Outcome outcome = NamedApplication.within(LONG.multipliedBy(2), () -> {
            abortSoon();
            return NamedCalls.call(this.queued, form, bulkhead.getName(), this.upstream);
        });

        outcome.isAtOnce();
        assertThat(outcome.reason()).isEqualTo(Reason.CLIENT_ABORT);
        bulkhead.onComplete();
        await().untilAsserted(() ->
                assertThat(bulkhead.getMetrics().getAvailableConcurrentCalls()).isOne());
        assertThat(this.upstream.asked()).isZero();
    }

    private static void abortSoon() {
        Scope scope = DeadlineEngine.currentScope();
        CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS).execute(() -> scope.cancel(Reason.CLIENT_ABORT));
    }

    /** C58: whoever has left gets no place. */
    @ParameterizedTest
    @EnumSource(CallForm.class)
    void placesAreThereAgainAfterAllWhoWaitedHaveLeft(CallForm form) throws Exception {
        Bulkhead bulkhead = bulkhead(8, LONG);
        for (int i = 0; i < 8; i++) {
            bulkhead.acquirePermission();
        }
        ExecutorService callers = Executors.newFixedThreadPool(8);
        try {
            List<Future<Outcome>> ended = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                ended.add(callers.submit(
                        () -> outcome(Duration.ofMillis(150), this.queued, form, false, bulkhead.getName())));
            }
            // At the same moment as the callers leave.
            CompletableFuture.delayedExecutor(150, TimeUnit.MILLISECONDS).execute(() -> {
                for (int i = 0; i < 8; i++) {
                    bulkhead.onComplete();
                }
            });
            int permitted = 0;
            for (Future<Outcome> outcome : ended) {
                permitted += (outcome.get().failure() == null) ? 1 : 0;
            }
            // Who got a place at the last moment may have asked, and been cut before the answer.
            assertThat(this.upstream.asked()).isBetween(permitted, 8);
        } finally {
            callers.shutdownNow();
        }
        await().untilAsserted(() ->
                assertThat(bulkhead.getMetrics().getAvailableConcurrentCalls()).isEqualTo(8));
        for (int i = 0; i < 8; i++) {
            assertThat(bulkhead.tryAcquirePermission()).isTrue();
        }
    }

    /** C59: its own limit forbids the wait, so there is none, and it is the limit that is told of. */
    @ParameterizedTest
    @MethodSource("formsWithAndWithoutStep")
    void limiterThatWillSayNoSaysItAtOnce(CallForm form, boolean step) {
        RateLimiter limiter = limiter(Duration.ofSeconds(40), Duration.ofSeconds(20));
        assertThat(limiter.acquirePermission()).isTrue();

        Outcome outcome = outcome(LONG, this.limited, form, step, limiter.getName());

        outcome.isAtOnce();
        if (step) {
            assertThat(outcome.failure())
                    .isInstanceOf(StepFailedException.class)
                    .hasCauseInstanceOf(RequestNotPermitted.class);
            assertThat(outcome.reason()).isEqualTo(Reason.UPSTREAM_ERROR);
        } else {
            assertThat(outcome.failure()).isInstanceOf(RequestNotPermitted.class);
        }
        assertThat(limiter.getMetrics().getAvailablePermissions()).isZero();
        assertThat(this.upstream.asked()).isZero();
    }

    /** C59: there is not so much time, so nothing is waited for and nothing is taken. */
    @ParameterizedTest
    @MethodSource("formsWithAndWithoutStep")
    void permitThatComesTooLateIsNotReserved(CallForm form, boolean step) {
        RateLimiter limiter = limiter(LONG, LONG);
        assertThat(limiter.acquirePermission()).isTrue();

        Outcome outcome = outcome(Duration.ofSeconds(10), this.limited, form, step, limiter.getName());

        outcome.isAtOnce();
        assertThat(outcome.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED);
        assertThat(NamedApplication.told(outcome.failure())).contains("rate limiter '" + limiter.getName() + "'");
        assertThat(limiter.getMetrics().getAvailablePermissions()).isZero();
        assertThat(this.upstream.asked()).isZero();
    }

    /** C59: what was reserved for somebody who has left is there for others. */
    @ParameterizedTest
    @EnumSource(CallForm.class)
    void abortGivesTheReservationBack(CallForm form) {
        RateLimiter limiter = limiter(LONG, LONG);
        assertThat(limiter.acquirePermission()).isTrue();

        Outcome outcome = NamedApplication.within(LONG.multipliedBy(2), () -> {
            abortSoon();
            return NamedCalls.call(this.limited, form, limiter.getName(), this.upstream);
        });

        outcome.isAtOnce();
        assertThat(outcome.reason()).isEqualTo(Reason.CLIENT_ABORT);
        await().untilAsserted(() ->
                assertThat(limiter.getMetrics().getAvailablePermissions()).isZero());
        assertThat(this.upstream.asked()).isZero();
    }

    @ParameterizedTest
    @EnumSource(CallForm.class)
    void permitThatComesInTimeIsWaitedFor(CallForm form) {
        RateLimiter limiter = limiter(Duration.ofMillis(300), LONG);
        assertThat(limiter.acquirePermission()).isTrue();

        Outcome outcome = outcome(LONG, this.limited, form, true, limiter.getName());

        assertThat(outcome.answer()).isEqualTo(NamedApplication.expected(form, "done"));
        assertThat(this.upstream.asked()).isOne();
    }
}
