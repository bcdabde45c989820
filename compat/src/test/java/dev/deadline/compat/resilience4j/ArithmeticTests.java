package dev.deadline.compat.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.deadline.DeadlineExceededException;
import dev.deadline.Deadlines;
import dev.deadline.Reason;
import dev.deadline.StepFailedException;
import dev.deadline.Steps;
import dev.deadline.compat.webclient.FaultServer;
import dev.deadline.compat.webclient.Repeated;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A queue of 5 s, four attempts of 15 s and three pauses between them come to over a minute; under a deadline of 2 s they
 * come to 2 s.
 */
class ArithmeticTests {

    // In full where slow tests are run, elsewhere a quarter, and not with every form.
    private static final int SHARE = Boolean.getBoolean("deadline.slow-tests") ? 1 : 4;

    private static final Duration SECOND = Duration.ofSeconds(1).dividedBy(SHARE);

    // Half a second is for machines that are busy with other builds.
    private static final Duration SLACK = Duration.ofMillis(Boolean.getBoolean("deadline.strict-times") ? 50 : 500);

    private static final Duration BUDGET = SECOND.multipliedBy(2);

    // Two pauses of a second fit, and a third does not. Short ones leave a busy machine more time for the calls.
    private static final Duration PAUSES =
            (SHARE == 1) ? Duration.ofMillis(2500) : SECOND.multipliedBy(29).dividedBy(10);

    private static ConfigurableApplicationContext application;

    private static Deadlines deadlines;

    private static GuardedCalls calls;

    private static Bulkhead bulkhead;

    private FaultServer upstream;

    @BeforeAll
    static void start() throws IOException {
        application = ResilienceApplication.start(
                "resilience4j.bulkhead.instances.guarded.max-concurrent-calls=1",
                "resilience4j.bulkhead.instances.guarded.max-wait-duration=5s",
                "resilience4j.retry.instances.guarded.max-attempts=4",
                "resilience4j.retry.instances.guarded.wait-duration=" + SECOND.toMillis() + "ms",
                "spring.http.client.read-timeout=15s",
                "spring.http.clients.read-timeout=15s");
        deadlines = application.getBean(Deadlines.class);
        calls = application.getBean(GuardedCalls.class);
        bulkhead = application.getBean(BulkheadRegistry.class).bulkhead("guarded");
        try (FaultServer warm = new FaultServer()) {
            for (CallForm form : CallForm.values()) {
                GuardedCalls.answer(calls, form, warm.url("/ok"));
            }
        }
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void begin() {
        this.upstream = new FaultServer();
    }

    @AfterEach
    void end() throws IOException {
        this.upstream.close();
        await().until(() -> bulkhead.getMetrics().getAvailableConcurrentCalls() == 1);
    }

    static Stream<Arguments> formsWithAndWithoutStep() {
        return Stream.of(CallForm.values())
                .flatMap(form -> (SHARE == 1)
                        ? Stream.of(Arguments.of(form, false), Arguments.of(form, true))
                        : Stream.of(Arguments.of(form, true)));
    }

    static Stream<CallForm> forms() {
        return (SHARE == 1) ? Stream.of(CallForm.values()) : Stream.of(CallForm.BLOCKING);
    }

    private static Object answer(CallForm form, boolean step, String url) {
        if (!step) {
            return GuardedCalls.answer(calls, form, url);
        }
        Steps.Closed guarded = application.getBean(Steps.class).closed("guarded");
        return GuardedCalls.awaited(guarded.call(() -> GuardedCalls.call(calls, form, url)));
    }

    private record Ended(Throwable failure, Duration after) {}

    private static Ended endOf(CallForm form, boolean step, String url, Duration budget) {
        try (Deadlines.Started started = deadlines.start(budget)) {
            long start = System.nanoTime();
            Throwable failure = catchThrowable(() -> answer(form, step, url));
            return new Ended(failure, Duration.ofNanos(System.nanoTime() - start));
        }
    }

    private static void assertThatTimeWasUp(Throwable failure) {
        if (failure instanceof StepFailedException step) {
            assertThat(step.reason()).isIn(Reason.BUDGET_EXHAUSTED, Reason.UPSTREAM_TIMEOUT);
        } else {
            assertThat(failure).isInstanceOf(DeadlineExceededException.class);
        }
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    private static void assertThatItWasIn(Duration after, Duration expected) {
        assertThat(after).isBetween(expected.minusMillis(50), expected.plus(SLACK));
    }

    /** Waits for a place first, then for the upstream, and there is no second attempt. */
    @ParameterizedTest
    @MethodSource("formsWithAndWithoutStep")
    void queueAndAttemptTogetherTakeTheTimeThereIs(CallForm form, boolean step) throws Exception {
        Repeated.until(() -> {
            bulkhead.acquirePermission();
            Executor later = CompletableFuture.delayedExecutor(SECOND.toMillis(), TimeUnit.MILLISECONDS);
            CompletableFuture<Void> left = CompletableFuture.runAsync(bulkhead::onComplete, later);

            Ended ended = endOf(form, step, this.upstream.url("/silent"), BUDGET);

            left.join();
            assertThatTimeWasUp(ended.failure());
            assertThatItWasIn(ended.after(), BUDGET);
            return !this.upstream.requests().isEmpty();
        });
        this.upstream.awaitAllClosed();
        assertThat(this.upstream.requests()).hasSize(1);
    }

    /** C57: ends with the time and says what it waited for. */
    @ParameterizedTest
    @MethodSource("formsWithAndWithoutStep")
    void queueAloneTakesTheTimeThereIs(CallForm form, boolean step) {
        bulkhead.acquirePermission();

        Ended ended = endOf(form, step, this.upstream.url("/ok"), Duration.ofMillis(300));

        bulkhead.onComplete();
        assertThatTimeWasUp(ended.failure());
        assertThatItWasIn(ended.after(), Duration.ofMillis(300));
        assertThat(this.upstream.accepted()).isZero();
    }

    /** Two pauses of a second fit, a third does not: it is not begun, and the error is the upstream's. */
    @ParameterizedTest
    @MethodSource("forms")
    void pauseThatDoesNotFitIsNotBegun(CallForm form) {
        Repeated.until(() -> {
            this.upstream.close();
            this.upstream = new FaultServer();

            Ended ended = endOf(form, false, this.upstream.url("/unavailable"), PAUSES);

            if (ended.failure() instanceof DeadlineExceededException) {
                // The calls themselves took what was left; a third pause that was begun would end so each time.
                return false;
            }
            assertThat(ended.failure()).hasMessageContaining("503");
            assertThat(ended.failure().getClass().getName())
                    .containsAnyOf("HttpServerErrorException", "WebClientResponseException");
            if (this.upstream.requests().size() < 3) {
                // The second did not fit either, as the calls were slow.
                return false;
            }
            assertThatItWasIn(ended.after(), SECOND.multipliedBy(2));
            return true;
        });
    }

    @ParameterizedTest
    @MethodSource("forms")
    void withoutDeadlineEverythingIsAsConfigured(CallForm form) {
        assertThatExceptionOfType(Exception.class)
                .isThrownBy(() -> GuardedCalls.answer(calls, form, this.upstream.url("/unavailable")))
                .withMessageContaining("503");
        assertThat(this.upstream.requests()).hasSize(4);
    }
}
