package dev.deadline.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.deadline.Deadline;
import dev.deadline.OnTimeout;
import dev.deadline.Outcome;
import dev.deadline.Reason;
import dev.deadline.StepFailedException;
import dev.deadline.Steps;
import dev.deadline.aop.StepContext.Recorder;
import dev.deadline.aop.StepContext.Request;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.InvalidSetupException;
import java.io.IOException;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.Test;

class FunctionalStepsTests {

    @Test
    void returnsWhatTheWorkReturns() {
        run(steps -> {
            assertThat(steps.open("flags").<String, RuntimeException>call(() -> "value", failure -> "fallback"))
                    .isEqualTo("value");
            assertThat(steps.closed("guard").<String, RuntimeException>call(() -> "value"))
                    .isEqualTo("value");
        });
    }

    @Test
    void servesTheFallbackWhenTimeIsUp() {
        run(steps -> {
            String answer = steps.open("flags")
                    .timeout(Duration.ofMillis(50))
                    .call(
                            FunctionalStepsTests::hang,
                            failure ->
                                    failure.stepName() + " " + failure.reason().code());
            assertThat(answer).isEqualTo("flags upstream_timeout");
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    @Test
    void throwsWhenAClosedStepHasNoTimeLeft() {
        run(steps -> assertThatExceptionOfType(StepFailedException.class)
                .isThrownBy(() ->
                        steps.closed("guard").timeout(Duration.ofMillis(50)).call(FunctionalStepsTests::hang))
                .satisfies(failure -> assertThat(failure.reason()).isEqualTo(Reason.UPSTREAM_TIMEOUT)));
    }

    @Test
    void appliesThePolicyToFailuresOfTheUpstream() {
        run(steps -> {
            String answer = steps.open("flags")
                    .call(
                            () -> {
                                throw new IOException();
                            },
                            failure -> failure.reason().code());
            assertThat(answer).isEqualTo("upstream_error");
        });
    }

    /** C26. */
    @Test
    void leavesBusinessExceptionsAlone() {
        StepContext.runner().run(context -> {
            Steps steps = context.getBean(Steps.class);
            assertThatExceptionOfType(NoSuchElementException.class)
                    .isThrownBy(() -> steps.open("flags")
                            .call(
                                    () -> {
                                        throw new NoSuchElementException("not found");
                                    },
                                    failure -> "fallback"))
                    .withMessage("not found");
            assertThat(context.getBean(Recorder.class).steps)
                    .singleElement()
                    .satisfies(event -> assertThat(event.outcome()).isEqualTo(Outcome.BUSINESS_ERROR));
        });
    }

    /** C27. */
    @Test
    void refusesTheRequestWithTheOwnCauseOfAThrowingFallback() {
        run(steps -> assertThatExceptionOfType(StepFailedException.class)
                .isThrownBy(() -> steps.open("flags")
                        .call(
                                () -> {
                                    throw new IOException();
                                },
                                failure -> {
                                    throw new IllegalStateException("broken fallback");
                                }))
                .satisfies(failure -> assertThat(failure.getCause())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("broken fallback")));
    }

    @Test
    void prefersTheConfiguration() {
        StepContext.runner()
                .withPropertyValues("deadline.steps.flags.timeout=3s")
                .run(context -> {
                    Duration remaining = context.getBean(Steps.class)
                            .open("flags")
                            .timeout(Duration.ofSeconds(90))
                            .call(() -> Deadline.current().remaining(), failure -> Duration.ZERO);
                    assertThat(remaining).isBetween(Duration.ofMillis(1), Duration.ofSeconds(3));
                });
    }

    @Test
    void leavesAStepAsItIsWhenItIsChanged() {
        StepContext.runner().run(context -> {
            Steps.Closed plain = context.getBean(Steps.class).closed("guard");
            Steps.Closed limited = plain.timeout(Duration.ofSeconds(90));

            assertThat(limited).isNotSameAs(plain);
            assertThat(plain.<Boolean, RuntimeException>call(
                            () -> Deadline.current().isBounded()))
                    .isFalse();
            assertThat(limited.<Boolean, RuntimeException>call(
                            () -> Deadline.current().isBounded()))
                    .isTrue();
            assertThat(context.getBean(Recorder.class).steps)
                    .extracting(event -> event.timeoutNanos())
                    .containsExactly(Long.MAX_VALUE, TimeUnit.SECONDS.toNanos(90));
        });
    }

    @Test
    void spendsTheReserveOnlyOnEssentialSteps() {
        StepContext.runner().run(context -> {
            DeadlineEngine engine = context.getBean(DeadlineEngine.class);
            Steps steps = context.getBean(Steps.class);
            AtomicInteger calls = new AtomicInteger();
            try (Request request = StepContext.request(engine, Duration.ofSeconds(30), Duration.ofSeconds(30))) {
                assertThat(steps.open("ordinary")
                                .<Integer, RuntimeException>call(calls::incrementAndGet, failure -> -1))
                        .isEqualTo(-1);
                assertThat(steps.open("essential")
                                .essential()
                                .<Integer, RuntimeException>call(calls::incrementAndGet, failure -> -1))
                        .isEqualTo(1);
                assertThat(steps.open("modest")
                                .reserve(Duration.ofSeconds(1))
                                .<Integer, RuntimeException>call(calls::incrementAndGet, failure -> -1))
                        .isEqualTo(2);
                assertThat(steps.open("demanding")
                                .reserve(Duration.ofSeconds(1))
                                .minimum(Duration.ofSeconds(60))
                                .<Integer, RuntimeException>call(calls::incrementAndGet, failure -> -1))
                        .isEqualTo(-1);
            }
        });
    }

    @Test
    void doesNotInterruptAnUninterruptibleStep() {
        run(steps -> {
            AtomicBoolean interrupted = new AtomicBoolean();
            Steps.Closed guard =
                    steps.closed("guard").timeout(Duration.ofMillis(30)).uninterruptible();
            assertThatExceptionOfType(StepFailedException.class)
                    .isThrownBy(() -> guard.call(() -> {
                        CountDownLatch cancelled = new CountDownLatch(1);
                        Deadline.current().onCancel(reason -> cancelled.countDown());
                        cancelled.await();
                        interrupted.set(Thread.currentThread().isInterrupted());
                        return "too late";
                    }));
            assertThat(interrupted).isFalse();
        });
    }

    @Test
    void refusesIllegalNamesAndLengths() {
        run(steps -> {
            assertThatExceptionOfType(InvalidSetupException.class).isThrownBy(() -> steps.open("a b"));
            assertThatExceptionOfType(InvalidSetupException.class).isThrownBy(() -> steps.closed("request"));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> steps.open("a").timeout(Duration.ZERO));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> steps.open("a").minimum(Duration.ofMillis(-1)));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> steps.open("a").reserve(Duration.ofMillis(-1)));
        });
    }

    @Test
    void refusesTheNameOfAStepWithAnotherPolicy() {
        run(steps -> {
            steps.open("flags");
            assertThatExceptionOfType(InvalidSetupException.class)
                    .isThrownBy(() -> steps.closed("flags"))
                    .withMessageContaining(OnTimeout.OPEN + " and " + OnTimeout.CLOSED);
        });
    }

    private static String hang() throws InterruptedException {
        new CountDownLatch(1).await();
        return "never";
    }

    private static void run(ThrowingConsumer<Steps> assertions) {
        StepContext.runner().run(context -> assertions.accept(context.getBean(Steps.class)));
    }
}
