package dev.deadline.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.DeadlineExceededException;
import dev.deadline.Reason;
import dev.deadline.StepFailedException;
import dev.deadline.engine.EngineSteps;
import dev.deadline.engine.RealEngine;
import dev.deadline.engine.Section;
import dev.deadline.reactive.DeferredMono;
import dev.deadline.reactive.DeferredStage;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** A step that was to begin further in, and did not for want of time, says nothing about the upstream it never asked. */
class BreakerVerdictTests {

    enum Form {
        BLOCKING,
        STAGE,
        MONO
    }

    private static CircuitBreaker breaker(boolean countClamped) {
        return ((CircuitBreakerRegistry)
                        new BoundedRegistries(countClamped).bounded(CircuitBreakerRegistry.ofDefaults()))
                .circuitBreaker("some");
    }

    @ParameterizedTest
    @EnumSource
    void stepThatDoesNotStartIsNotCounted(Form form) throws Throwable {
        CircuitBreaker breaker = breaker(true);
        CompletableFuture<Object> answer;
        try (RealEngine real = new RealEngine();
                // Nothing is left for steps, as after others were slow.
                Section section = real.engine().bind(real.request(Duration.ofHours(1), Duration.ofHours(1)))) {
            EngineSteps steps = real.steps(new DeferredStage(), new DeferredMono());
            answer = call(form, breaker, steps);
        }

        assertThat(answer)
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .withCauseInstanceOf(StepFailedException.class);
        assertThat(breaker.getMetrics().getNumberOfBufferedCalls()).isZero();
    }

    private static CompletableFuture<Object> call(Form form, CircuitBreaker breaker, EngineSteps steps)
            throws Throwable {
        return switch (form) {
            case BLOCKING -> blocking(breaker, steps);
            case STAGE -> breaker.executeCompletionStage(() -> stage(steps)).toCompletableFuture();
            case MONO ->
                ((Mono<?>) new ReactiveAspects.OfCircuitBreaker()
                                .handle(ReactiveRaceTests.method(Mono.defer(() -> mono(steps))), breaker, "some"))
                        .cast(Object.class)
                        .toFuture();
        };
    }

    private static CompletionStage<Object> stage(EngineSteps steps) {
        return steps.closed("further-in").call(() -> CompletableFuture.completedFuture("never"));
    }

    private static Mono<String> mono(EngineSteps steps) {
        return steps.closed("further-in").call(() -> Mono.just("never"));
    }

    private static CompletableFuture<Object> blocking(CircuitBreaker breaker, EngineSteps steps) {
        try {
            return CompletableFuture.completedFuture(
                    breaker.executeSupplier(() -> steps.closed("further-in").call(() -> "never")));
        } catch (StepFailedException ex) {
            return CompletableFuture.failedFuture(ex);
        }
    }

    /** As it is told if the time of a step around both ends at that moment. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void stepThatDoesNotStartInsideAnotherIsNotCounted(boolean countClamped) {
        Throwable failure = new CompletionException(new DeadlineExceededException(
                "further-in", Reason.BUDGET_EXHAUSTED, Duration.ZERO, countClamped, null));

        assertThat(BreakerVerdict.of(failure, null, countClamped)).isEqualTo(BreakerVerdict.NEUTRAL);
    }

    @Test
    void stepThatRanOutOfTimeIsCounted() {
        Throwable failure =
                new StepFailedException("further-in", Reason.UPSTREAM_TIMEOUT, Duration.ofMillis(100), false, null);

        assertThat(BreakerVerdict.of(failure, null, false)).isEqualTo(BreakerVerdict.FAILURE);
    }

    /** A call that was stopped as soon as it was made belongs to no step, and its deadline may have begun long before. */
    @Test
    void callThatRanOutOfTimeIsCounted() {
        Throwable failure = new DeadlineExceededException(null, Reason.UPSTREAM_TIMEOUT, Duration.ZERO, false, null);

        assertThat(BreakerVerdict.of(failure, null, false)).isEqualTo(BreakerVerdict.FAILURE);
    }
}
