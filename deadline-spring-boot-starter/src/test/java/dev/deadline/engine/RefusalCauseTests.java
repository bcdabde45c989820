package dev.deadline.engine;

import static dev.deadline.engine.TestEngine.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.deadline.DeadlineExceededException;
import dev.deadline.DeadlineListener.StepEvent;
import dev.deadline.OnTimeout;
import dev.deadline.Outcome;
import dev.deadline.Reason;
import dev.deadline.Refusal;
import dev.deadline.StepFailedException;
import dev.deadline.Steps.Work;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RequestNotPermitted;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When the report of a step tells a refusal: whenever one was why the step failed, and never otherwise. */
class RefusalCauseTests {

    private final RuntimeException breakerOpen =
            CallNotPermittedException.createCallNotPermittedException(CircuitBreaker.ofDefaults("geo"));

    private final RuntimeException rateLimited =
            RequestNotPermitted.createRequestNotPermitted(RateLimiter.ofDefaults("geo"));

    private FailureClassifier classifier = new UpstreamFailures();

    private final TestEngine test = new TestEngine(failure -> this.classifier.isUpstreamFailure(failure));

    @AfterEach
    void close() {
        this.test.close();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void tellsWhyAFallbackWasServed() {
        assertThat(open(() -> {
                    throw this.breakerOpen;
                }))
                .isEqualTo("fallback upstream_error");

        assertOnlyStep(Outcome.DEGRADED, Reason.UPSTREAM_ERROR, Refusal.BREAKER_OPEN);
    }

    @Test
    void tellsWhyARequestWasRefused() {
        assertThatExceptionOfType(StepFailedException.class)
                .isThrownBy(() -> this.test.runner.run(
                        step("geo", OnTimeout.CLOSED, 250),
                        Object.class,
                        () -> {
                            throw new CompletionException(this.rateLimited);
                        },
                        null))
                .satisfies(thrown -> assertThat(thrown.reason()).isEqualTo(Reason.UPSTREAM_ERROR));

        assertOnlyStep(Outcome.FAILED, Reason.UPSTREAM_ERROR, Refusal.RATE_LIMITED);
    }

    @Test
    void tellsItWhileOnlyObserving() {
        this.test.mode.set(Mode.OBSERVE);

        assertThatThrownBy(() -> open(() -> {
                    throw this.breakerOpen;
                }))
                .isSameAs(this.breakerOpen);

        assertOnlyStep(Outcome.DEGRADED, Reason.UPSTREAM_ERROR, Refusal.BREAKER_OPEN);
    }

    @Test
    void tellsTheRefusalOfTheWorkApartFromThatOfItsFallback() {
        assertThatExceptionOfType(StepFailedException.class)
                .isThrownBy(() -> this.test.runner.run(
                        step("geo", OnTimeout.OPEN, 250),
                        Object.class,
                        () -> {
                            throw this.breakerOpen;
                        },
                        failure -> {
                            throw this.rateLimited;
                        }));

        assertOnlyStep(Outcome.FAILED, Reason.UPSTREAM_ERROR, Refusal.BREAKER_OPEN);
        assertThat(this.test.recorder.fallbacks).extracting(StepEvent::cause).containsExactly(Refusal.RATE_LIMITED);
    }

    @Test
    void tellsNothingOfAnIoFailure() {
        open(() -> {
            throw new UncheckedIOException(new IOException("reset"));
        });

        assertOnlyStep(Outcome.DEGRADED, Reason.UPSTREAM_ERROR, null);
    }

    @Test
    void tellsNothingOfARefusalThatComesAfterTheTimeIsUp() {
        open(() -> {
            this.test.time.advance(250);
            throw this.breakerOpen;
        });

        assertOnlyStep(Outcome.DEGRADED, Reason.UPSTREAM_TIMEOUT, null);
    }

    @Test
    void tellsNothingOfADeadlineEvenOneThatARefusalCaused() {
        open(() -> {
            throw new DeadlineExceededException(null, Reason.BUDGET_EXHAUSTED, Duration.ZERO, false, this.rateLimited);
        });

        assertOnlyStep(Outcome.DEGRADED, Reason.BUDGET_EXHAUSTED, null);
    }

    @Test
    void leavesItToTheClassifierWhetherARefusalIsAFailureAtAll() {
        this.classifier = failure -> false;

        assertThatThrownBy(() -> open(() -> {
                    throw this.breakerOpen;
                }))
                .isSameAs(this.breakerOpen);

        assertOnlyStep(Outcome.BUSINESS_ERROR, null, null);
    }

    @Test
    void tellsTheRefusalAlsoWhenAnotherClassifierCalledItAFailure() {
        this.classifier = failure -> true;

        open(() -> {
            throw this.breakerOpen;
        });
        open(() -> {
            throw new IllegalStateException("own");
        });

        assertThat(this.test.recorder.steps).extracting(StepEvent::cause).containsExactly(Refusal.BREAKER_OPEN, null);
    }

    private String open(Work<String, RuntimeException> work) {
        return this.test.runner.run(
                step("geo", OnTimeout.OPEN, 250),
                Object.class,
                work,
                failure -> "fallback " + failure.reason().code());
    }

    private void assertOnlyStep(Outcome outcome, Reason reason, Refusal cause) {
        assertThat(this.test.recorder.steps).singleElement().satisfies(event -> {
            assertThat(event.outcome()).isEqualTo(outcome);
            assertThat(event.reason()).isEqualTo(reason);
            assertThat(event.cause()).isEqualTo(cause);
        });
    }
}
