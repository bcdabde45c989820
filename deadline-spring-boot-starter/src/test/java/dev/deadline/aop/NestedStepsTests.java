package dev.deadline.aop;

import static dev.deadline.OnTimeout.CLOSED;
import static dev.deadline.OnTimeout.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.deadline.Deadline;
import dev.deadline.DeadlineListener.StepEvent;
import dev.deadline.Outcome;
import dev.deadline.Reason;
import dev.deadline.Step;
import dev.deadline.StepFailedException;
import dev.deadline.aop.StepContext.Recorder;
import dev.deadline.aop.StepContext.Request;
import dev.deadline.engine.DeadlineEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;

class NestedStepsTests {

    /** C34. */
    @Test
    void givesTheInnerStepAtMostWhatTheOuterHas() {
        StepContext.with(Outer.class, Inner.class).run(context -> {
            assertThat(context.getBean(Outer.class).askForTime()).isLessThanOrEqualTo(Duration.ofSeconds(30));
        });
    }

    /** C34. */
    @Test
    void countsOneTimeoutForTheStepThatCausedIt() {
        StepContext.with(Outer.class, Inner.class).run(context -> {
            assertThat(context.getBean(Outer.class).retry()).isEqualTo("outer fallback");
            assertThat(context.getBean(Inner.class).attempts()).isEqualTo(1);
            assertThat(recorder(context).steps)
                    .filteredOn(event -> event.reason() != null)
                    .singleElement()
                    .satisfies(event -> {
                        assertThat(event.step()).isEqualTo("outer.retry");
                        assertThat(event.reason()).isEqualTo(Reason.UPSTREAM_TIMEOUT);
                    });
        });
    }

    @Test
    void letsTheFailureOfAGatePassThroughAnOpenStep() {
        StepContext.with(Outer.class, Inner.class).run(context -> {
            assertThatExceptionOfType(StepFailedException.class)
                    .isThrownBy(() -> context.getBean(Outer.class).pass())
                    .satisfies(failure -> assertThat(failure.stepName()).isEqualTo("inner.check"));
            assertThat(recorder(context).steps)
                    .extracting(StepEvent::step, StepEvent::outcome, StepEvent::reason)
                    .containsExactly(
                            tuple("inner.check", Outcome.FAILED, Reason.UPSTREAM_ERROR),
                            tuple("outer.pass", Outcome.FAILED, null));
        });
    }

    /** C30. */
    @Test
    void cutsASlowFallbackAtTheEndOfTheRequest() {
        StepContext.with(SlowFallback.class).run(context -> {
            DeadlineEngine engine = context.getBean(DeadlineEngine.class);
            try (Request request = StepContext.request(engine, Duration.ofMillis(400), Duration.ZERO)) {
                assertThatExceptionOfType(StepFailedException.class)
                        .isThrownBy(() -> context.getBean(SlowFallback.class).primary())
                        .satisfies(failure -> {
                            assertThat(failure.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED);
                            assertThat(failure.getSuppressed())
                                    .singleElement()
                                    .satisfies(first -> assertThat(((StepFailedException) first).reason())
                                            .isEqualTo(Reason.UPSTREAM_TIMEOUT));
                        });
            }
            assertThat(recorder(context).steps).singleElement().satisfies(event -> {
                assertThat(event.outcome()).isEqualTo(Outcome.FAILED);
                assertThat(event.reason()).isEqualTo(Reason.UPSTREAM_TIMEOUT);
            });
            assertThat(recorder(context).failedFallbacks)
                    .singleElement()
                    .satisfies(event -> assertThat(event.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED));
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    @Test
    void doesNotStartAStepWhenOnlyTheReserveIsLeft() {
        StepContext.with(SlowFallback.class).run(context -> {
            DeadlineEngine engine = context.getBean(DeadlineEngine.class);
            try (Request request = StepContext.request(engine, Duration.ofSeconds(30), Duration.ofSeconds(30))) {
                assertThat(context.getBean(SlowFallback.class).quick()).isEqualTo("fallback");
                assertThat(context.getBean(SlowFallback.class).essential()).isEqualTo("value");
                assertThat(request.scope().ledger().entries()).singleElement().satisfies(entry -> {
                    assertThat(entry.step()).isEqualTo("quick");
                    assertThat(entry.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED);
                    assertThat(entry.waitedNanos()).isZero();
                });
            }
        });
    }

    private static Recorder recorder(AssertableApplicationContext context) {
        return context.getBean(Recorder.class);
    }

    static class Outer {

        private final Inner inner;

        Outer(Inner inner) {
            this.inner = inner;
        }

        @Step(name = "outer.time", onTimeout = CLOSED, timeout = "30s")
        public Duration askForTime() {
            return this.inner.remaining();
        }

        @Step(name = "outer.retry", onTimeout = OPEN, timeout = "80ms", fallback = "outerFallback")
        public String retry() {
            while (true) {
                try {
                    return this.inner.hang();
                } catch (UncheckedIOException ex) {
                    // Once more: this is what must not happen when the outer step is over.
                }
            }
        }

        String outerFallback() {
            return "outer fallback";
        }

        @Step(name = "outer.pass", onTimeout = OPEN)
        public void pass() {
            this.inner.check();
        }
    }

    static class Inner {

        private final AtomicInteger attempts = new AtomicInteger();

        public int attempts() {
            return this.attempts.get();
        }

        @Step(name = "inner.time", onTimeout = CLOSED, timeout = "50s")
        public Duration remaining() {
            return Deadline.current().remaining();
        }

        @Step(name = "inner.hang", onTimeout = OPEN, timeout = "50s", fallback = "innerFallback")
        public String hang() {
            this.attempts.incrementAndGet();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException ex) {
                throw new UncheckedIOException(new IOException(ex));
            }
            return "never";
        }

        String innerFallback() {
            return "inner fallback";
        }

        @Step(name = "inner.check", onTimeout = CLOSED)
        public void check() {
            throw new UncheckedIOException(new IOException());
        }
    }

    static class SlowFallback {

        @Step(name = "primary", onTimeout = OPEN, timeout = "50ms", fallback = "slow")
        public String primary() throws InterruptedException {
            new CountDownLatch(1).await();
            return "never";
        }

        String slow() throws InterruptedException {
            new CountDownLatch(1).await();
            return "never";
        }

        @Step(name = "quick", onTimeout = OPEN, fallback = "fallback")
        public String quick() {
            return "value";
        }

        String fallback() {
            return "fallback";
        }

        @Step(name = "essential", onTimeout = CLOSED, essential = true)
        public String essential() {
            return "value";
        }
    }
}
