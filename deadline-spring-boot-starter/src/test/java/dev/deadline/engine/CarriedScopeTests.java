package dev.deadline.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.OnTimeout;
import dev.deadline.Reason;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A carried scope is the same one elsewhere. */
class CarriedScopeTests {

    private final RealEngine engine = new RealEngine();

    @AfterEach
    void close() {
        this.engine.close();
    }

    private StepExecution step(Scope request, Duration timeout) {
        StepDefinition definition = StepDefinition.of("step", OnTimeout.CLOSED).withTimeout(timeout.toNanos());
        return StepExecution.begin(this.engine.engine(), new StepPolicy(definition, null), Mode.ENFORCE, request);
    }

    private static Reason endOf(Scope scope) {
        CompletableFuture<Reason> end = new CompletableFuture<>();
        scope.onCancel(end::complete);
        return end.orTimeout(10, TimeUnit.SECONDS).join();
    }

    @Test
    void endsForTheReasonOfTheStepItWasCarriedFrom() {
        StepExecution step = step(this.engine.request(Duration.ofMinutes(1)), Duration.ofMillis(30));
        step.goOnWithoutThread();
        Scope carried = DeadlineEngine.carried(step.scope());

        assertThat(endOf(carried)).isEqualTo(Reason.UPSTREAM_TIMEOUT);
        assertThat(step.scope().reason()).isEqualTo(Reason.UPSTREAM_TIMEOUT);
        assertThat(carried.isInsideStep()).isTrue();
    }

    @Test
    void endsAfterTheScopeItWasCarriedFromThoughItsAlarmRangFirst() {
        Scope request = this.engine.request(Duration.ofMillis(30));
        Scope carried = DeadlineEngine.carried(request);

        carried.ring();

        assertThat(request.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED);
    }

    @Test
    void endsAtItsTimeThoughTheOtherHasBeenLeft() {
        Scope request = this.engine.request(Duration.ofMillis(50));
        Scope carried = DeadlineEngine.carried(request);
        request.complete();

        assertThat(endOf(carried)).isEqualTo(Reason.BUDGET_EXHAUSTED);
    }

    @Test
    void isTheSameAsWhatItWasCarriedFrom() {
        Scope request = this.engine.request(Duration.ofMinutes(1));

        assertThat(DeadlineEngine.carried(DeadlineEngine.carried(request)).origin())
                .isSameAs(request);
    }

    @Test
    void givesAStepWithoutTimeOfItsOwnTheReasonOfTheRequest() {
        StepExecution step = step(this.engine.request(Duration.ofMillis(30)), Duration.ofMinutes(1));
        step.goOnWithoutThread();

        assertThat(endOf(step.scope())).isEqualTo(Reason.BUDGET_EXHAUSTED);
    }

    /** C40: such a step ends a little before the budget does, for an answer that has been given long since. */
    @Test
    void givesAStepThatOutlivesTheAnswerTheReasonOfTheRequest() {
        Scope request = this.engine.request(Duration.ofMillis(100), Duration.ofMillis(50));
        StepExecution step = step(DeadlineEngine.carried(request), Duration.ofMinutes(1));
        step.goOnWithoutThread();
        request.complete();

        assertThat(endOf(step.scope())).isEqualTo(Reason.BUDGET_EXHAUSTED);
    }

    @Test
    void givesAStepThatTheAnswerWaitsForItsOwnReason() {
        Scope request = this.engine.request(Duration.ofSeconds(60), Duration.ofMillis(59_950));
        StepExecution step = step(DeadlineEngine.carried(request), Duration.ofMinutes(1));
        step.goOnWithoutThread();

        assertThat(endOf(step.scope())).isEqualTo(Reason.UPSTREAM_TIMEOUT);
    }

    @Test
    void givesAStepWithItsOwnTimeItsOwnReasonAfterTheAnswerToo() {
        Scope request = this.engine.request(Duration.ofMinutes(1));
        StepExecution step = step(DeadlineEngine.carried(request), Duration.ofMillis(30));
        step.goOnWithoutThread();
        request.complete();

        assertThat(endOf(step.scope())).isEqualTo(Reason.UPSTREAM_TIMEOUT);
    }

    @Test
    void isLeftOnlyWhenItsWorkIs() {
        Scope request = this.engine.request(Duration.ofMinutes(1));
        request.cancel(Reason.CLIENT_ABORT);
        assertThat(request.isOver()).isTrue();
        assertThat(request.isLeft()).isFalse();

        request.complete();

        assertThat(request.isLeft()).isTrue();
    }
}
