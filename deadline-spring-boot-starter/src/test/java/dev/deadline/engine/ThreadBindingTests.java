package dev.deadline.engine;

import static dev.deadline.engine.TestEngine.spinUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.deadline.Deadline;
import dev.deadline.OnTimeout;
import dev.deadline.Outcome;
import dev.deadline.Reason;
import dev.deadline.StepFailedException;
import dev.deadline.engine.Section.Access;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ThreadBindingTests {

    private final TestEngine test = new TestEngine();

    private final Scope request = this.test.request(100, 0);

    @AfterEach
    void close() {
        this.test.close();
        assertThat(Deadline.current()).isSameAs(Deadline.none());
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void interruptsInsideAnOpenSectionAndTakesTheInterruptBackOnLeaving() {
        try (Section resting = this.test.engine.bind(this.request)) {
            try (Section open = ThreadBinding.enter(Access.OPEN)) {
                this.test.time.advance(100);
                spinUntil(() -> Thread.currentThread().isInterrupted());
            }
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
    }

    @Test
    void interruptsAgainUntilTheSectionIsLeft() {
        try (Section resting = this.test.engine.bind(this.request);
                Section open = ThreadBinding.enter(Access.OPEN)) {
            this.test.time.advance(100);
            for (int round = 0; round < 3; round++) {
                spinUntil(Thread::interrupted);
                spinUntil(() -> this.test.time.armedCount() > 0);
                this.test.time.advance(20);
            }
        }
    }

    @Test
    void holdsAnInterruptBackInAShieldedSectionAndDeliversItAfter() {
        try (Section resting = this.test.engine.bind(this.request);
                Section open = ThreadBinding.enter(Access.OPEN)) {
            try (Section shielded = DeadlineEngine.shield();
                    Section innerOpen = ThreadBinding.enter(Access.OPEN)) {
                this.test.time.advance(100);
                spinUntil(() -> this.test.time.armedCount() > 0);
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
            }
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        }
    }

    @Test
    void givesOtherMeansARoundInALateSection() {
        try (Section open = ThreadBinding.enter(this.request, Access.OPEN, true)) {
            try (Section late = DeadlineEngine.interruptibleLate()) {
                this.test.time.advance(100);
                spinUntil(() -> this.test.time.armedCount() > 0);
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                this.test.time.advance(20);
                spinUntil(() -> Thread.currentThread().isInterrupted());
            }
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        }
    }

    @Test
    void absorbsAPendingInterruptOnEnteringAShieldedSection() {
        try (Section open = ThreadBinding.enter(this.request, Access.OPEN, true)) {
            this.request.cancel(Reason.CLIENT_ABORT);
            spinUntil(() -> Thread.currentThread().isInterrupted());
            try (Section shielded = DeadlineEngine.shield()) {
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
            }
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        }
    }

    /** C36: an interrupt sent by somebody else is not swallowed. */
    @Test
    void leavesAFlagThatWasSetBeforeEntry() {
        Thread.currentThread().interrupt();
        try (Section open = ThreadBinding.enter(this.request, Access.OPEN, true)) {
            this.test.time.advance(100);
            spinUntil(() -> this.test.time.armedCount() > 0);
        }

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void interruptsOnlyForTheInnermostDeadline() {
        Scope detached = this.test.engine.openJob(Mode.ENFORCE, Long.MAX_VALUE);
        try (Section open = ThreadBinding.enter(this.request, Access.OPEN, true)) {
            try (Section inner = ThreadBinding.enter(detached, Access.OPEN, true)) {
                this.test.time.advance(100);
                spinUntil(() -> this.test.time.armedCount() > 0);
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
            }
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        }
    }

    @Test
    void reassertsTheInterruptOfAnEnclosingStep() {
        Scope outer = step(this.request, 50);
        try (Section outerSection = ThreadBinding.enter(outer, Access.OPEN, true)) {
            outer.armNested();
            Scope inner = step(outer, 50);
            try (Section innerSection = ThreadBinding.enter(inner, Access.OPEN, true)) {
                inner.armNested();
                this.test.time.advance(50);
                spinUntil(Thread::interrupted);
            }
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        }
        assertThat(this.request.reason()).isNull();
    }

    @Test
    void leavesSectionsThatCodeFurtherInForgotToLeave() {
        Section outer = this.test.engine.bind(this.request);
        ThreadBinding.enter(Access.OPEN);
        ThreadBinding.enter(Access.SHIELDED);

        outer.close();
        outer.close();

        assertThat(Deadline.current()).isSameAs(Deadline.none());
    }

    @Test
    void refusesToLeaveASectionOnAnotherThread() {
        try (Section section = this.test.engine.bind(this.request)) {
            CompletableFuture<Void> elsewhere = CompletableFuture.runAsync(
                    () -> assertThatIllegalStateException().isThrownBy(section::close));
            elsewhere.join();
        }
    }

    /** C38: a section without a deadline hides the thread's, and gives it back. */
    @Test
    void hidesTheDeadlineOfTheThread() {
        try (Section bound = this.test.engine.bind(this.request)) {
            try (Section hidden = DeadlineEngine.carry(null)) {
                assertThat(Deadline.current()).isSameAs(Deadline.none());
            }
            assertThat(Deadline.current()).isSameAs(this.request);
        }
    }

    /** C40, C41: work carried to another thread goes on after the response, and ends with the budget. */
    @Test
    void boundsCarriedWorkByTheBudgetAlsoAfterTheResponse() throws Exception {
        CountDownLatch carriedOver = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        CompletableFuture<Reason> reason = new CompletableFuture<>();
        CompletableFuture<Void> background = CompletableFuture.runAsync(() -> {
            try (Section section = DeadlineEngine.carry(this.request)) {
                Deadline.current().onCancel(reason::complete);
                carriedOver.countDown();
                assertThat(answered.await(10, TimeUnit.SECONDS)).isTrue();
                assertThat(Deadline.current().isExpired()).isFalse();
                this.test.time.advance(100);
                assertThat(Deadline.current().isExpired()).isTrue();
            } catch (InterruptedException ex) {
                throw new IllegalStateException(ex);
            }
        });
        carriedOver.await();
        this.test.engine.finishRequest(this.request, Outcome.OK, null, RequestAnswer.UNKNOWN);
        answered.countDown();

        background.get(10, TimeUnit.SECONDS);
        assertThat(reason.get(10, TimeUnit.SECONDS)).isEqualTo(Reason.BUDGET_EXHAUSTED);
    }

    @Test
    void cancelsCarriedStepsWithTheRequest() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CompletableFuture<Boolean> interrupted = CompletableFuture.supplyAsync(() -> {
            try (Section section = DeadlineEngine.carry(this.request)) {
                return this.test.runner.<Boolean, RuntimeException>run(
                        TestEngine.step("carried", OnTimeout.OPEN, 10_000),
                        Object.class,
                        () -> {
                            inside.countDown();
                            spinUntil(Thread::interrupted);
                            return true;
                        },
                        failure -> failure.reason() == Reason.CLIENT_ABORT);
            } catch (StepFailedException ex) {
                return ex.reason() == Reason.CLIENT_ABORT;
            }
        });
        inside.await();

        this.request.cancel(Reason.CLIENT_ABORT);

        assertThat(interrupted.get(10, TimeUnit.SECONDS)).isTrue();
    }

    private Scope step(Scope parent, long millis) {
        return new Scope(parent.budget, parent, Scope.Kind.STEP, "some", this.test.time.nanoTime(), millis * 1_000_000);
    }
}
