package dev.deadline.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deadline.Deadline;
import dev.deadline.Reason;
import dev.deadline.StepFailedException;
import dev.deadline.Steps;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Mode;
import dev.deadline.engine.RealEngine;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** C29: the work is timed, and stopped. */
class DeferredStageTests {

    private static final Duration SHORT = Duration.ofMillis(40);

    private final RealEngine engine = new RealEngine();

    private final Steps steps = this.engine.steps(new DeferredStage());

    private final CompletableFuture<String> work = new CompletableFuture<>();

    @AfterEach
    void close() {
        this.engine.close();
    }

    private CompletableFuture<String> open(Duration timeout) {
        return this.steps
                .open("step")
                .timeout(timeout)
                .call(() -> this.work, failure -> CompletableFuture.completedFuture("fallback"));
    }

    private CompletableFuture<String> closed(Duration timeout) {
        return this.steps.closed("step").timeout(timeout).call(() -> this.work);
    }

    private static Throwable failureOf(CompletableFuture<?> future) throws Exception {
        try {
            future.get(10, TimeUnit.SECONDS);
            throw new AssertionError("It answered");
        } catch (ExecutionException ex) {
            return ex.getCause();
        }
    }

    @Test
    void answersInTime() throws Exception {
        CompletableFuture<String> answer = closed(Duration.ofMinutes(1));
        this.work.complete("answer");

        assertThat(answer.get(10, TimeUnit.SECONDS)).isEqualTo("answer");
        assertThat(this.engine.outcomes()).containsExactly("step ok none");
    }

    @Test
    void failsAndCancelsTheWorkWhenTimeIsUp() throws Exception {
        Throwable failure = failureOf(closed(SHORT));

        assertThat(failure)
                .isInstanceOfSatisfying(
                        StepFailedException.class,
                        failed -> assertThat(failed.reason()).isEqualTo(Reason.UPSTREAM_TIMEOUT));
        assertThat(this.work).isCancelled();
        assertThat(this.engine.outcomes()).containsExactly("step failed upstream_timeout");
    }

    @Test
    void fallsBackWhenTimeIsUp() throws Exception {
        assertThat(open(SHORT).get(10, TimeUnit.SECONDS)).isEqualTo("fallback");
        assertThat(this.work).isCancelled();
        assertThat(this.engine.outcomes()).containsExactly("step degraded upstream_timeout");
    }

    @Test
    void looksThroughTheWrapperOfAFailure() throws Exception {
        CompletableFuture<String> answer = this.steps
                .open("step")
                .timeout(Duration.ofMinutes(1))
                .call(
                        () -> this.work.thenApply(String::trim),
                        failure -> CompletableFuture.completedFuture(
                                failure.reason().code()));
        this.work.completeExceptionally(new IOException("reset"));

        assertThat(answer.get(10, TimeUnit.SECONDS)).isEqualTo("upstream_error");
    }

    @Test
    void passesTheExceptionOfTheApplicationOn() throws Exception {
        CompletableFuture<String> answer = open(Duration.ofMinutes(1));
        IllegalStateException own = new IllegalStateException("own");
        this.work.completeExceptionally(own);

        assertThat(failureOf(answer)).isSameAs(own);
        assertThat(this.engine.outcomes()).containsExactly("step business_error none");
    }

    @Test
    void cancelsTheWorkWithTheCaller() {
        CompletableFuture<String> answer = open(Duration.ofMinutes(1));

        answer.cancel(true);

        assertThat(this.work).isCancelled();
        assertThat(this.engine.outcomes()).containsExactly("step aborted none");
    }

    @Test
    void cancelsTheFallbackWithTheCaller() {
        CompletableFuture<String> slow = new CompletableFuture<>();
        CompletableFuture<Boolean> asked = new CompletableFuture<>();
        CompletableFuture<String> answer = this.steps
                .open("step")
                .timeout(SHORT)
                .call(() -> this.work, failure -> {
                    asked.complete(true);
                    return slow;
                });
        asked.orTimeout(10, TimeUnit.SECONDS).join();

        answer.cancel(true);

        Awaitility.await().until(slow::isCancelled);
        assertThat(this.engine.outcomes()).hasSize(1);
    }

    /** C30: the fallback has no more time than the request. */
    @Test
    void boundsTheFallback() throws Exception {
        Scope request = this.engine.request(Duration.ofMillis(120));
        CompletableFuture<String> never = new CompletableFuture<>();
        CompletableFuture<String> answer;
        try (Section section = this.engine.engine().bind(request)) {
            answer = this.steps.open("step").timeout(SHORT).call(() -> this.work, failure -> never);
        }

        assertThat(failureOf(answer))
                .isInstanceOfSatisfying(
                        StepFailedException.class,
                        failed -> assertThat(failed.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED));
        await().until(never::isCancelled);
        assertThat(this.engine.outcomes()).containsExactly("step failed upstream_timeout");
    }

    @Test
    void runsTheFallbackUnderADeadlineOnAThreadThatMayBlock() throws Exception {
        Scope request = this.engine.request(Duration.ofMinutes(1));
        CompletableFuture<String> answer;
        try (Section section = this.engine.engine().bind(request)) {
            answer = this.steps
                    .open("step")
                    .timeout(SHORT)
                    .call(
                            () -> this.work,
                            failure -> CompletableFuture.completedFuture(
                                    Deadline.current().isBounded() + " "
                                            + Thread.currentThread().getName()));
        }

        assertThat(answer.get(10, TimeUnit.SECONDS)).startsWith("true deadline-afterwards");
    }

    @Test
    void givesTheRequestAsReasonWhenThatEnds() throws Exception {
        Scope request = this.engine.request(SHORT);
        CompletableFuture<String> answer;
        try (Section section = this.engine.engine().bind(request)) {
            answer = closed(Duration.ofMinutes(1));
        }

        assertThat(failureOf(answer))
                .isInstanceOfSatisfying(
                        StepFailedException.class,
                        failed -> assertThat(failed.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED));
    }

    @Test
    void cancelsTheWorkWhenTheClientIsGone() throws Exception {
        Scope request = this.engine.request(Duration.ofMinutes(1));
        CompletableFuture<String> answer;
        try (Section section = this.engine.engine().bind(request)) {
            answer = open(Duration.ofMinutes(1));
        }

        request.cancel(Reason.CLIENT_ABORT);

        assertThat(failureOf(answer))
                .isInstanceOfSatisfying(
                        StepFailedException.class,
                        failed -> assertThat(failed.reason()).isEqualTo(Reason.CLIENT_ABORT));
        assertThat(this.work).isCancelled();
        assertThat(this.engine.outcomes()).containsExactly("step aborted client_abort");
    }

    @Test
    void failsInTimeAlsoWhereTheStageCannotBeCancelled() throws Exception {
        CompletionStage<String> answer =
                this.steps.closed("step").timeout(SHORT).call(this.work::minimalCompletionStage);

        assertThat(failureOf(answer.toCompletableFuture())).isInstanceOf(StepFailedException.class);
    }

    @Test
    void onlyWatchesInObserveMode() throws Exception {
        this.engine.mode(Mode.OBSERVE);
        long end = System.nanoTime() + 2_000_000;
        CompletableFuture<String> answer = closed(Duration.ofMillis(1));

        assertThat(answer).isSameAs(this.work);
        Awaitility.await().pollDelay(Duration.ofMillis(1)).until(() -> System.nanoTime() - end > 0);
        this.work.complete("late");

        assertThat(answer.get()).isEqualTo("late");
        assertThat(this.engine.outcomes()).containsExactly("step failed upstream_timeout");
    }

    @Test
    void reportsExactlyOneOutcomeWhenAnswerAndEndMeet() {
        for (int i = 0; i < 300; i++) {
            CompletableFuture<String> racing = new CompletableFuture<>();
            racing.completeOnTimeout("answer", 2, TimeUnit.MILLISECONDS);
            CompletableFuture<String> answer = this.steps
                    .open("step")
                    .timeout(Duration.ofMillis(2))
                    .call(() -> racing, failure -> CompletableFuture.completedFuture("fallback"));
            answer.join();
        }

        assertThat(this.engine.outcomes()).hasSize(300);
    }

    @Test
    void leavesNothingOnTheThread() {
        closed(Duration.ofMinutes(1));

        assertThat(DeadlineEngine.currentScope()).isNull();
    }
}
