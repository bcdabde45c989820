package dev.deadline.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deadline.Deadline.Registration;
import dev.deadline.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What meets on one scope: its end, its cancellation, the registration of hooks, the end of the scope around it. */
class ScopeRaceTests {

    private static final int ROUNDS = Boolean.getBoolean("deadline.slow-tests") ? 30_000 : 12_000;

    private final TestEngine test = new TestEngine();

    private final ExecutorService other = Executors.newSingleThreadExecutor();

    private final SplittableRandom random = new SplittableRandom(3);

    private final AtomicInteger ran = new AtomicInteger();

    @AfterEach
    void close() {
        this.other.shutdownNow();
        this.test.close();
    }

    @Test
    void endsEitherByItselfOrCancelled() throws Exception {
        AtomicInteger cancelled = new AtomicInteger();
        for (int round = 0; round < ROUNDS; round++) {
            Scope scope = scope(null);
            Future<Boolean> cancel = together(() -> scope.cancel(Reason.CLIENT_ABORT));
            boolean completed = scope.complete();
            boolean won = cancel.get();
            assertThat(won).isNotEqualTo(completed);
            assertThat(scope.reason() != null).isEqualTo(won);
            assertThat(scope.complete()).isEqualTo(completed);
            cancelled.addAndGet(won ? 1 : 0);
        }
        assertThat(cancelled.get()).as("both sides win sometimes").isBetween(1, ROUNDS - 1);
    }

    @Test
    void runsAHookExactlyOnceThatIsRegisteredDuringTheCancellation() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Scope scope = scope(null);
            Future<Boolean> cancel = together(() -> scope.cancel(Reason.CLIENT_ABORT));
            scope.onCancel(reason -> this.ran.incrementAndGet());
            cancel.get();
            rescue(scope);
        }
        awaitRuns(ROUNDS);
    }

    @Test
    void runsAHookExactlyOnceThatIsRegisteredDuringTheCancellationOfTheScopeAround() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Scope outer = scope(null);
            Scope inner = scope(outer);
            Future<Boolean> cancel = together(() -> outer.cancel(Reason.CLIENT_ABORT));
            inner.onCancel(reason -> this.ran.incrementAndGet());
            cancel.get();
            rescue(outer);
            rescue(inner);
        }
        awaitRuns(ROUNDS);
    }

    @Test
    void runsNoHookOfWorkThatEndedByItself() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Scope scope = scope(null);
            Future<Boolean> complete = together(scope::complete);
            scope.onCancel(reason -> this.ran.incrementAndGet());
            complete.get();
            scope.cancel(Reason.CLIENT_ABORT);
        }
        assertThat(this.ran).hasValue(0);
    }

    @Test
    void losesNoHookWhileOthersAreTakenBack() throws Exception {
        for (int round = 0; round < ROUNDS / 3; round++) {
            Scope scope = scope(null);
            List<Registration> takenBack = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                takenBack.add(scope.onCancel(reason -> {}));
                scope.onCancel(reason -> this.ran.incrementAndGet());
            }
            Future<Boolean> cancel = together(() -> scope.cancel(Reason.CLIENT_ABORT));
            takenBack.forEach(Registration::close);
            cancel.get();
            rescue(scope);
        }
        awaitRuns(ROUNDS / 3 * 6);
    }

    /** A wake-up that is lost leaves an alarm unheard until something else wakes the timer. */
    @Test
    void losesNoWakeUpWhileTheTimerFallsAsleep() {
        try (ThreadWatchdog watchdog = new ThreadWatchdog(MonotonicClock.SYSTEM, 20_000, 60_000).start()) {
            for (int round = 0; round < ROUNDS / 3 * 2; round++) {
                AtomicInteger rung = new AtomicInteger();
                watchdog.arm(new Alarm(System.nanoTime() + 20_000 + this.random.nextInt(60_000)) {
                    @Override
                    void ring() {
                        rung.set(1);
                    }
                });
                TestEngine.spinUntil(() -> rung.get() == 1);
                long next = System.nanoTime() + this.random.nextInt(120_000);
                TestEngine.spinUntil(() -> System.nanoTime() - next > 0);
            }
        }
    }

    // On a busy machine a hook may have been put off until the next round just after the last look.
    private void awaitRuns(int expected) {
        await().untilAsserted(() -> {
            this.test.time.advance(20);
            assertThat(this.ran).hasValue(expected);
        });
    }

    // The rounds of a stopper whose pool was full come with the clock, which stands still here.
    private void rescue(Scope scope) {
        if (scope.hooks() != null && !scope.hooks().isEmpty()) {
            this.test.time.advance(20);
        }
    }

    private Future<Boolean> together(Callable<Boolean> action) throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        Future<Boolean> result = this.other.submit(() -> {
            start.await(10, TimeUnit.SECONDS);
            return action.call();
        });
        start.await(10, TimeUnit.SECONDS);
        spin();
        return result;
    }

    private void spin() {
        for (int turn = this.random.nextInt(400); turn > 0; turn--) {
            Thread.onSpinWait();
        }
    }

    private Scope scope(Scope parent) {
        Budget budget = (parent != null)
                ? parent.budget
                : new Budget(this.test.engine, Budget.UNBOUNDED, 0, 0, Mode.ENFORCE, false, null);
        return new Scope(budget, parent, Scope.Kind.STEP, "some", 0, Budget.UNBOUNDED);
    }
}
