package dev.deadline.compat.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.Reason;
import dev.deadline.Steps;
import dev.deadline.compat.resilience4j.NamedApplication.Outcome;
import dev.deadline.compat.webclient.Repeated;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.retry.RetryRegistry;
import io.github.resilience4j.retry.event.RetryEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Retries by annotation. */
@EnabledIfSystemProperty(named = "deadline.slow-tests", matches = "true")
@Timeout(60)
class RetryCasesTests {

    @AfterAll
    static void stopApplication() {
        NamedApplication.stop();
    }

    private static final Duration LONG = Duration.ofSeconds(30);

    private final NamedCalls calls = NamedApplication.bean(NamedCalls.Retried.class);

    private final List<RetryEvent.Type> events = new CopyOnWriteArrayList<>();

    private Retry retry(RetryConfig.Builder<?> config) {
        Retry retry = NamedApplication.bean(RetryRegistry.class).retry(NamedApplication.name(), config.build());
        retry.getEventPublisher().onEvent(event -> this.events.add(event.getEventType()));
        return retry;
    }

    private static RetryConfig.Builder<Object> waiting(Duration pause) {
        return RetryConfig.custom().maxAttempts(4).waitDuration(pause);
    }

    static Stream<Arguments> formsWithAndWithoutStep() {
        return Stream.of(CallForm.values())
                .flatMap(form -> Stream.of(Arguments.of(form, false), Arguments.of(form, true)));
    }

    private Outcome outcome(Duration budget, CallForm form, boolean step, Retry retry, CountedUpstream upstream) {
        Callable<?> call = () -> NamedCalls.call(this.calls, form, retry.getName(), upstream);
        return NamedApplication.within(budget, step ? NamedApplication.inStep(call) : call);
    }

    /** C56: the last result is the answer, and nobody is told of a retry that does not happen. */
    @ParameterizedTest
    @MethodSource("formsWithAndWithoutStep")
    void resultWhosePauseDoesNotFitIsTheAnswer(CallForm form, boolean step) {
        List<Object> consumed = new CopyOnWriteArrayList<>();
        Retry retry = retry(waiting(LONG)
                .retryOnResult("not yet"::equals)
                .consumeResultBeforeRetryAttempt((attempt, result) -> consumed.add(result)));
        CountedUpstream upstream = CountedUpstream.answering("not yet");

        Outcome outcome = outcome(Duration.ofSeconds(10), form, step, retry, upstream);

        assertThat(outcome.failure()).isNull();
        assertThat(outcome.answer()).isEqualTo(NamedApplication.expected(form, "not yet"));
        outcome.isAtOnce();
        assertThat(upstream.asked()).isOne();
        assertThat(this.events).isEmpty();
        assertThat(consumed).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(CallForm.class)
    void resultWhosePauseFitsIsRetriedAsConfigured(CallForm form) {
        List<Object> consumed = new CopyOnWriteArrayList<>();
        Retry retry = retry(waiting(Duration.ofMillis(1))
                .retryOnResult("not yet"::equals)
                .consumeResultBeforeRetryAttempt((attempt, result) -> consumed.add(attempt + " " + result)));
        CountedUpstream upstream = new CountedUpstream(attempt -> (attempt < 3) ? "not yet" : "done");

        Outcome outcome = outcome(LONG, form, false, retry, upstream);

        assertThat(outcome.answer()).isEqualTo(NamedApplication.expected(form, "done"));
        assertThat(this.events).containsExactly(RetryEvent.Type.RETRY, RetryEvent.Type.RETRY, RetryEvent.Type.SUCCESS);
        assertThat(consumed).containsExactly("1 not yet", "2 not yet");
        assertThat(retry.getMetrics().getNumberOfSuccessfulCallsWithRetryAttempt())
                .isOne();
    }

    /** C56: the failure in a pause is ours, whatever was retried. */
    @ParameterizedTest
    @MethodSource("formsWithAndWithoutStep")
    void abortEndsThePauseAfterAResult(CallForm form, boolean step) {
        abortEndsThePause(form, step, CountedUpstream.answering("not yet"));
    }

    /** C56: the failure in a pause is ours, whatever was retried. */
    @ParameterizedTest
    @MethodSource("formsWithAndWithoutStep")
    void abortEndsThePauseAfterAnError(CallForm form, boolean step) {
        abortEndsThePause(form, step, CountedUpstream.failing());
    }

    private void abortEndsThePause(CallForm form, boolean step, CountedUpstream upstream) {
        Retry retry = retry(waiting(LONG).retryOnResult("not yet"::equals));
        CompletableFuture<Scope> request = new CompletableFuture<>();
        Executor soon = CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS);
        retry.getEventPublisher()
                .onRetry(event -> request.thenAcceptAsync(scope -> scope.cancel(Reason.CLIENT_ABORT), soon));
        Callable<?> call = () -> NamedCalls.call(this.calls, form, retry.getName(), upstream);

        Outcome outcome = NamedApplication.within(LONG.multipliedBy(4), () -> {
            request.complete(DeadlineEngine.currentScope());
            return step ? NamedApplication.inStep(call).call() : call.call();
        });

        assertThat(outcome.reason()).isEqualTo(Reason.CLIENT_ABORT);
        outcome.isAtOnce();
        assertThat(upstream.asked()).isOne();
        assertThat(this.events).containsOnlyOnce(RetryEvent.Type.RETRY).doesNotContain(RetryEvent.Type.SUCCESS);
    }

    /** Only the request has a deadline, and no step: the first two pauses fit, the third does not. */
    @ParameterizedTest
    @EnumSource(CallForm.class)
    void exponentialPausesFitOrAreNotBegun(CallForm form) {
        Retry retry = retry(RetryConfig.custom()
                .maxAttempts(8)
                .intervalFunction(IntervalFunction.ofExponentialBackoff(Duration.ofMillis(10), 30)));
        CountedUpstream upstream = CountedUpstream.failing();

        Outcome outcome = outcome(Duration.ofSeconds(6), form, false, retry, upstream);

        // 10 ms, 300 ms and 9 s.
        assertThat(outcome.failure()).isInstanceOf(IllegalStateException.class).hasMessage("sick 3");
        outcome.isAtOnce();
        assertThat(this.events).containsExactly(RetryEvent.Type.RETRY, RetryEvent.Type.RETRY, RetryEvent.Type.ERROR);
    }

    @ParameterizedTest
    @EnumSource(CallForm.class)
    void timeoutOfStepFurtherInIsRetried(CallForm form) {
        Retry retry = retry(waiting(Duration.ofMillis(1)));
        Steps steps = NamedApplication.bean(Steps.class);
        CountedUpstream upstream = new CountedUpstream(attempt ->
                steps.closed("inner").timeout(Duration.ofMillis(300)).call(() -> (attempt == 1) ? silence() : "done"));

        Outcome outcome = outcome(LONG, form, true, retry, upstream);

        assertThat(outcome.failure()).isNull();
        assertThat(outcome.answer()).isEqualTo(NamedApplication.expected(form, "done"));
        assertThat(upstream.asked()).isEqualTo(2);
    }

    private static String silence() {
        try {
            return new CountDownLatch(1).await(30, TimeUnit.SECONDS) ? "never" : "too late";
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(ex);
        }
    }

    /** The time of the whole request is over: that is not retried, though a pause of no length would always fit. */
    @ParameterizedTest
    @MethodSource("formsWithAndWithoutStep")
    void endOfTheTimeIsNotRetried(CallForm form, boolean step) {
        Retry retry = retry(waiting(Duration.ofMillis(1)).retryExceptions(Throwable.class));
        CountedUpstream upstream = new CountedUpstream(attempt -> silenceUntilInterrupted());

        Repeated.until(() -> {
            Outcome outcome = outcome(Duration.ofMillis(150), form, step, retry, upstream);
            assertThat(outcome.reason()).isIn(Reason.BUDGET_EXHAUSTED, Reason.UPSTREAM_TIMEOUT);
            return upstream.asked() > 0;
        });

        assertThat(upstream.asked()).isOne();
        assertThat(this.events).doesNotContain(RetryEvent.Type.RETRY);
    }

    // Looks at the deadline as any client does.
    private static String silenceUntilInterrupted() {
        Scope scope = DeadlineEngine.currentScope();
        CountDownLatch over = new CountDownLatch(1);
        scope.onCancel(reason -> over.countDown());
        try {
            over.await();
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
        throw scope.exceeded(null);
    }

    /** As it is in Resilience4j without a deadline: it tells nobody that it will never complete. */
    @Test
    void stageWhoseSecondAttemptCannotBeginFails() throws Exception {
        Retry retry = retry(waiting(Duration.ofMillis(1)).maxAttempts(2));
        CountedUpstream upstream = new CountedUpstream(attempt -> {
            if (attempt == 2) {
                throw new IllegalStateException("cannot begin");
            }
            return "first";
        });
        ThrowingStages stages = NamedApplication.bean(ThrowingStages.class);

        Outcome outcome = NamedApplication.within(
                LONG,
                () -> stages.call(retry.getName(), upstream)
                        .toCompletableFuture()
                        .orTimeout(10, TimeUnit.SECONDS));

        assertThat(NamedApplication.told(outcome.failure()))
                .contains("cannot begin")
                .doesNotContain(TimeoutException.class.getName());
        assertThat(upstream.asked()).isEqualTo(2);
    }
}
