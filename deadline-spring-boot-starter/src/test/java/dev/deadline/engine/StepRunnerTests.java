package dev.deadline.engine;

import static dev.deadline.engine.TestEngine.spinUntil;
import static dev.deadline.engine.TestEngine.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.deadline.Deadline;
import dev.deadline.DeadlineExceededException;
import dev.deadline.OnTimeout;
import dev.deadline.Outcome;
import dev.deadline.Reason;
import dev.deadline.StepFailedException;
import dev.deadline.Steps.Work;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StepRunnerTests {

    private final TestEngine test = new TestEngine();

    private final ManualWatchdog time = this.test.time;

    @AfterEach
    void close() {
        this.test.close();
        assertThat(Deadline.current()).isSameAs(Deadline.none());
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void returnsAValueThatComesInTime() {
        Scope request = this.test.request(1500, 800);
        try (Section section = this.test.engine.bind(request)) {
            String value = open("flags", 250, () -> {
                this.time.advance(249);
                return "value";
            });
            assertThat(value).isEqualTo("value");
        }
        assertOnlyStep(Outcome.OK, null, 249, false);
        assertThat(request.ledger().isDegraded()).isFalse();
    }

    @Test
    void servesTheFallbackOfAnOpenStepWhenItsTimeIsUp() {
        Scope request = this.test.request(1500, 800);
        try (Section section = this.test.engine.bind(request)) {
            String value = open("flags", 250, () -> {
                this.time.advance(250);
                return interruptedValue();
            });
            assertThat(value).isEqualTo("fallback upstream_timeout");
        }
        assertOnlyStep(Outcome.DEGRADED, Reason.UPSTREAM_TIMEOUT, 250, false);
        assertThat(request.ledger().entries())
                .containsExactly(new StepLedger.Entry("flags", Reason.UPSTREAM_TIMEOUT, 250_000_000));
        assertThat(this.test.recorder.overruns).containsExactly("flags");
    }

    @Test
    void refusesTheRequestOfAClosedStepWhenItsTimeIsUp() {
        Scope request = this.test.request(1500, 800);
        try (Section section = this.test.engine.bind(request)) {
            assertThatExceptionOfType(StepFailedException.class)
                    .isThrownBy(() -> closed("revocation", 200, () -> {
                        this.time.advance(200);
                        return interruptedValue();
                    }))
                    .satisfies(thrown -> {
                        assertThat(thrown.reason()).isEqualTo(Reason.UPSTREAM_TIMEOUT);
                        assertThat(thrown.stepName()).isEqualTo("revocation");
                        assertThat(thrown.waited()).isEqualTo(Duration.ofMillis(200));
                        assertThat(thrown.clamped()).isFalse();
                    });
        }
        assertOnlyStep(Outcome.FAILED, Reason.UPSTREAM_TIMEOUT, 200, false);
    }

    @Test
    void dropsAValueThatComesTooLate() {
        try (Section section = this.test.engine.bind(this.test.request(1500, 0))) {
            String value = open("flags", 250, () -> {
                this.time.advance(260);
                return "late";
            });
            assertThat(value).startsWith("fallback");
        }
    }

    @Test
    void tellsThatAStepGotLessThanItWanted() {
        try (Section section = this.test.engine.bind(this.test.request(1500, 800))) {
            this.time.advance(600);
            open("flags", 250, () -> {
                assertThat(Deadline.current().remaining()).isEqualTo(Duration.ofMillis(100));
                this.time.advance(100);
                return "late";
            });
        }
        assertOnlyStep(Outcome.DEGRADED, Reason.UPSTREAM_TIMEOUT, 100, true);
    }

    /** C50: when the caller's time is smaller than the reserve, ordinary steps do not start. */
    @Test
    void doesNotStartAStepForWhichNoTimeIsLeft() {
        AtomicInteger calls = new AtomicInteger();
        try (Section section = this.test.engine.bind(this.test.request(500, 800))) {
            String value = open("flags", 250, () -> "never" + calls.incrementAndGet());
            assertThat(value).isEqualTo("fallback budget_exhausted");
        }
        assertThat(calls).hasValue(0);
        assertOnlyStep(Outcome.DEGRADED, Reason.BUDGET_EXHAUSTED, 0, true);
    }

    /** C06: with less than the minimum left a step is not started with a zero that means "no limit". */
    @Test
    void doesNotStartAStepWithLessThanItsMinimum() {
        AtomicInteger calls = new AtomicInteger();
        try (Section section = this.test.engine.bind(this.test.request(1000, 0))) {
            this.time.advance(Duration.ofMillis(980).minusNanos(400_000));
            open("flags", 250, () -> "never" + calls.incrementAndGet());
        }
        assertThat(calls).hasValue(0);
    }

    @Test
    void letsAnEssentialStepSpendTheReserveButNotTheAnswerMargin() {
        try (Section section = this.test.engine.bind(this.test.request(1500, 800))) {
            this.time.advance(700);
            StepPolicy catalog = new StepPolicy(
                    StepDefinition.of("catalog", OnTimeout.CLOSED).asEssential(), null);
            Duration remaining = this.test.runner.<Duration, RuntimeException>run(
                    catalog, Object.class, () -> Deadline.current().remaining(), null);
            assertThat(remaining).isEqualTo(Duration.ofMillis(780));
        }
    }

    /** C26: the application's own exceptions pass through untouched. */
    @Test
    void letsBusinessExceptionsThrough() {
        Scope request = this.test.request(1500, 800);
        NoSuchElementException notFound = new NoSuchElementException("no such user");
        try (Section section = this.test.engine.bind(request)) {
            assertThatExceptionOfType(NoSuchElementException.class)
                    .isThrownBy(() -> open("flags", 250, () -> {
                        throw notFound;
                    }))
                    .isSameAs(notFound);
        }
        assertOnlyStep(Outcome.BUSINESS_ERROR, null, 0, false);
        assertThat(request.ledger().isDegraded()).isFalse();
    }

    @Test
    void appliesThePolicyWhenTheUpstreamFails() {
        try (Section section = this.test.engine.bind(this.test.request(1500, 800))) {
            String value = open("flags", 250, () -> {
                throw new UncheckedIOException(new IOException("connection reset"));
            });
            assertThat(value).isEqualTo("fallback upstream_error");
        }
        assertOnlyStep(Outcome.DEGRADED, Reason.UPSTREAM_ERROR, 0, false);
    }

    @Test
    void boundsAStepByItsOwnTimeoutWhereThereIsNoRequest() {
        String value = open("flags", 250, () -> {
            this.time.advance(250);
            return interruptedValue();
        });

        assertThat(value).isEqualTo("fallback upstream_timeout");
    }

    @Test
    void doesNotLimitAStepThatHasNoTimeoutWhereThereIsNoRequest() {
        StepPolicy unlimited = new StepPolicy(StepDefinition.of("flags", OnTimeout.CLOSED), null);

        String value = this.test.runner.<String, RuntimeException>run(
                unlimited,
                Object.class,
                () -> {
                    this.time.advance(Duration.ofDays(1));
                    return "value";
                },
                null);

        assertThat(value).isEqualTo("value");
    }

    /** C34: the inner step gets at most what the outer has, and one timeout is counted. */
    @Test
    void countsOneTimeoutForTheStepThatCausedIt() {
        try (Section section = this.test.engine.bind(this.test.request(60_000, 0))) {
            String value = open("outer", 1000, () -> {
                String inner = open("inner", 5000, () -> {
                    assertThat(Deadline.current().remaining()).isEqualTo(Duration.ofMillis(1000));
                    this.time.advance(1000);
                    return interruptedValue();
                });
                return "not reached " + inner;
            });
            assertThat(value).isEqualTo("fallback upstream_timeout");
        }
        assertThat(this.test.recorder.steps)
                .extracting(event -> event.step() + " " + event.outcome() + " " + event.reason())
                .containsExactly("inner FAILED null", "outer DEGRADED UPSTREAM_TIMEOUT");
    }

    @Test
    void leavesItToTheOuterStepWhenItsTimeIsUpAndTheInnerOneGoesOnTrying() {
        String value = open("outer", 40, () -> {
            this.time.advanceUnheard(40);
            return open("inner", 5, () -> "not started");
        });

        assertThat(value).isEqualTo("fallback upstream_timeout");
        assertThat(this.test.recorder.steps)
                .extracting(event -> event.step() + " " + event.outcome() + " " + event.reason())
                .containsExactly("inner FAILED null", "outer DEGRADED UPSTREAM_TIMEOUT");
    }

    @Test
    void leavesItToTheOuterStepWhenItCutsTheFallbackOfTheInnerOne() {
        String value = open(
                "outer",
                40,
                () -> this.test.runner.<String, RuntimeException>run(
                        step("inner", OnTimeout.OPEN, 5),
                        Object.class,
                        () -> {
                            this.time.advance(5);
                            return interruptedValue();
                        },
                        failure -> {
                            this.time.advance(35);
                            return interruptedValue();
                        }));

        assertThat(value).isEqualTo("fallback upstream_timeout");
    }

    @Test
    void doesNotLetAFallbackOpenAGate() {
        try (Section section = this.test.engine.bind(this.test.request(1500, 0))) {
            assertThatExceptionOfType(StepFailedException.class)
                    .isThrownBy(() -> open(
                            "outer",
                            1000,
                            () -> closed("revocation", 100, () -> {
                                this.time.advance(100);
                                return interruptedValue();
                            })))
                    .satisfies(thrown -> assertThat(thrown.stepName()).isEqualTo("revocation"));
        }
    }

    /** C30: a slow fallback is cut at the request's end, and both reasons are told. */
    @Test
    void cutsAFallbackAtTheEndOfTheRequest() {
        try (Section section = this.test.engine.bind(this.test.request(1500, 800))) {
            assertThatExceptionOfType(StepFailedException.class)
                    .isThrownBy(() -> this.test.runner.<String, RuntimeException>run(
                            step("flags", OnTimeout.OPEN, 250),
                            Object.class,
                            () -> {
                                this.time.advance(250);
                                return interruptedValue();
                            },
                            failure -> {
                                assertThat(Thread.currentThread().isInterrupted())
                                        .isFalse();
                                this.time.advance(1250);
                                return interruptedValue();
                            }))
                    .satisfies(thrown -> assertThat(thrown.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED));
        }
        assertOnlyStep(Outcome.FAILED, Reason.UPSTREAM_TIMEOUT, 250, false);
        assertThat(this.test.recorder.fallbacks)
                .singleElement()
                .satisfies(event -> assertThat(event.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED));
        assertThat(this.test.recorder.overruns)
                .as("of the step and of its fallback")
                .containsExactly("flags", "flags");
    }

    /** C27: a throwing fallback leads to the closed answer with its own cause. */
    @Test
    void keepsTheCauseOfAFallbackThatThrows() {
        IllegalStateException broken = new IllegalStateException("broken fallback");

        assertThatExceptionOfType(StepFailedException.class)
                .isThrownBy(() -> this.test.runner.<String, RuntimeException>run(
                        step("flags", OnTimeout.OPEN, 250),
                        Object.class,
                        () -> {
                            throw new UncheckedIOException(new IOException("reset"));
                        },
                        failure -> {
                            throw broken;
                        }))
                .withCause(broken);
    }

    @Test
    void servesNoFallbackToAClientThatLeft() {
        Scope request = this.test.request(1500, 800);
        try (Section section = this.test.engine.bind(request)) {
            assertThatExceptionOfType(StepFailedException.class)
                    .isThrownBy(() -> open("flags", 250, () -> {
                        request.cancel(Reason.CLIENT_ABORT);
                        return interruptedValue();
                    }))
                    .satisfies(thrown -> assertThat(thrown.reason()).isEqualTo(Reason.CLIENT_ABORT));
        }
        assertThat(request.ledger().isDegraded())
                .as("nobody reads what is said of it")
                .isFalse();
        assertThat(this.test.recorder.steps)
                .singleElement()
                .satisfies(event -> assertThat(event.outcome()).isEqualTo(Outcome.ABORTED));
    }

    /** C35: code that never blocks and then returns leaves no flag behind. */
    @Test
    void leavesNoFlagBehindBusyCode() {
        open("busy", 100, () -> {
            this.time.advance(100);
            spinUntil(() -> Thread.currentThread().isInterrupted());
            return "returned normally";
        });

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void doesNotInterruptWhereTheStepForbidsIt() {
        StepPolicy policy = new StepPolicy(
                StepDefinition.of("flags", OnTimeout.OPEN)
                        .withTimeout(100_000_000)
                        .asUninterruptible(),
                null);

        this.test.runner.<String, RuntimeException>run(
                policy,
                Object.class,
                () -> {
                    this.time.advance(100);
                    spinUntil(() -> this.time.armedCount() > 0);
                    assertThat(Thread.currentThread().isInterrupted()).isFalse();
                    return "value";
                },
                failure -> "fallback");
    }

    @Test
    void givesTheFallbackTheAnswerMarginWhereThereIsNoReserve() {
        try (Section section = this.test.engine.bind(this.test.request(1000, 0))) {
            StepPolicy untimed = new StepPolicy(StepDefinition.of("flags", OnTimeout.OPEN), null);
            String value = this.test.runner.<String, RuntimeException>run(
                    untimed,
                    Object.class,
                    () -> {
                        this.time.advance(980);
                        return interruptedValue();
                    },
                    failure -> {
                        this.time.advance(19);
                        return "fallback " + Deadline.current().remaining().toMillis();
                    });
            assertThat(value).isEqualTo("fallback 1");
        }
    }

    @Test
    void keepsTheReasonOfAnAbortThatTheStepNoticesLate() {
        Scope request = this.test.request(1500, 0);
        try (Section section = this.test.engine.bind(request)) {
            assertThatExceptionOfType(StepFailedException.class)
                    .isThrownBy(() -> open("flags", 250, () -> {
                        this.time.advance(100);
                        request.cancel(Reason.CLIENT_ABORT);
                        this.time.advance(200);
                        spinUntil(Thread::interrupted);
                        Deadline.current().checkpoint();
                        return "not reached";
                    }))
                    .satisfies(thrown -> assertThat(thrown.reason()).isEqualTo(Reason.CLIENT_ABORT));
        }
        assertThat(this.test.recorder.steps).singleElement().satisfies(event -> {
            assertThat(event.outcome()).isEqualTo(Outcome.ABORTED);
            assertThat(event.waitedNanos()).isEqualTo(100_000_000);
        });
    }

    @Test
    void appliesThePolicyToALackOfTimeThatAFutureHasWrapped() {
        String value = open("flags", 250, () -> {
            throw new CompletionException(
                    new DeadlineExceededException(null, Reason.UPSTREAM_TIMEOUT, Duration.ZERO, false, null));
        });

        assertThat(value).isEqualTo("fallback upstream_timeout");
    }

    @Test
    void doesNotOpenAGateThatAFutureHasWrapped() {
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> open("outer", 250, () -> {
                    throw new CompletionException(
                            new StepFailedException("revocation", Reason.UPSTREAM_TIMEOUT, Duration.ZERO, false, null));
                }))
                .withCauseInstanceOf(StepFailedException.class);
    }

    @Test
    void interruptsNobodyWhereThatIsForbidden() {
        try (TestEngine never = new TestEngine(InterruptPolicy.NEVER)) {
            String value = never.runner.<String, RuntimeException>run(
                    step("flags", OnTimeout.OPEN, 100),
                    Object.class,
                    () -> {
                        never.time.advance(100);
                        spinUntil(() -> never.time.armedCount() > 0);
                        assertThat(Thread.currentThread().isInterrupted()).isFalse();
                        return "late";
                    },
                    failure -> "fallback");
            assertThat(value).isEqualTo("fallback");
        }
    }

    @Test
    void interruptsOutsideStepsWhereThatIsAllowed() {
        try (TestEngine anywhere = new TestEngine(InterruptPolicy.ANYWHERE)) {
            try (Section section = anywhere.engine.bind(anywhere.request(100, 0))) {
                anywhere.time.advance(100);
                spinUntil(() -> Thread.currentThread().isInterrupted());
            }
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
    }

    @Test
    void letsAnInterruptOfSomebodyElseThrough() {
        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> this.test.runner.<String, InterruptedException>run(
                        step("flags", OnTimeout.OPEN, 250),
                        Object.class,
                        () -> {
                            throw new InterruptedException("shutdown");
                        },
                        failure -> "fallback"));
    }

    @Test
    void changesNothingInObserveModeAndCreditsWhatItWouldHaveCut() {
        this.test.mode.set(Mode.OBSERVE);
        Scope request = this.test.request(1500, 800);
        try (Section section = this.test.engine.bind(request)) {
            String slow = open("slow", 250, () -> {
                this.time.advance(5000);
                return "late";
            });
            String next = open("next", 250, () -> "in time");
            assertThat(slow).isEqualTo("late");
            assertThat(next).isEqualTo("in time");
            assertThat(request.remaining()).isEqualTo(Duration.ofMillis(1250));
        }
        assertThat(request.ledger().isDegraded()).isFalse();
        assertThat(this.test.recorder.steps)
                .extracting(event -> event.step() + " " + event.outcome() + " " + event.reason() + " "
                        + event.waitedNanos() / 1_000_000 + " " + event.enforced())
                .containsExactly("slow DEGRADED UPSTREAM_TIMEOUT 250 false", "next OK null 0 false");
    }

    @Test
    void isNotThereWhenItIsOff() {
        this.test.mode.set(Mode.OFF);

        assertThat(open("flags", 1, () -> {
                    this.time.advance(1000);
                    return "value";
                }))
                .isEqualTo("value");
        assertThat(this.test.recorder.steps).isEmpty();
    }

    @Test
    void appliesThePolicyWhenAClientInsideFoundNoTimeLeft() {
        try (Section section = this.test.engine.bind(this.test.request(1500, 800))) {
            String value = open("flags", 250, () -> {
                throw new DeadlineExceededException(null, Reason.UPSTREAM_TIMEOUT, Duration.ZERO, false, null);
            });
            assertThat(value).isEqualTo("fallback upstream_timeout");
        }
    }

    @Test
    void refusesContradictoryDeclarations() {
        StepRegistry registry = new StepRegistry(java.util.Map.of());
        registry.register(StepDefinition.of("user-prefs", OnTimeout.OPEN));
        registry.register(StepDefinition.of("user-prefs", OnTimeout.OPEN));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.register(StepDefinition.of("user-prefs", OnTimeout.CLOSED)))
                .withMessageContaining("both OPEN and CLOSED");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.register(StepDefinition.of("userPrefs", OnTimeout.OPEN)))
                .withMessageContaining("cannot be told apart");
    }

    private String open(String name, long timeoutMillis, Work<String, RuntimeException> work) {
        return this.test.runner.run(
                step(name, OnTimeout.OPEN, timeoutMillis),
                Object.class,
                work,
                failure -> "fallback " + failure.reason().code());
    }

    private String closed(String name, long timeoutMillis, Work<String, RuntimeException> work) {
        return this.test.runner.run(step(name, OnTimeout.CLOSED, timeoutMillis), Object.class, work, null);
    }

    private static String interruptedValue() {
        spinUntil(Thread::interrupted);
        throw new IllegalStateException("interrupted");
    }

    private void assertOnlyStep(Outcome outcome, Reason reason, long waitedMillis, boolean clamped) {
        assertThat(this.test.recorder.steps).singleElement().satisfies(event -> {
            assertThat(event.outcome()).isEqualTo(outcome);
            assertThat(event.reason()).isEqualTo(reason);
            assertThat(event.waitedNanos()).isEqualTo(waitedMillis * 1_000_000);
            assertThat(event.clamped()).isEqualTo(clamped);
        });
    }
}
