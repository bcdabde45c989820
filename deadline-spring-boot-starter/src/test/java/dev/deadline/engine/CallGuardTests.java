package dev.deadline.engine;

import static dev.deadline.engine.TestEngine.spinUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.deadline.DeadlineExceededException;
import dev.deadline.Reason;
import dev.deadline.engine.CallGuard.Exit;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CallGuardTests {

    private static final int ROUNDS = 20_000;

    private final TestEngine test = new TestEngine();

    private final Scope request = this.test.request(100, 0);

    private final AtomicInteger attempts = new AtomicInteger();

    @AfterEach
    void close() {
        this.test.close();
    }

    @Test
    void triesNothingWhileThereIsTime() {
        CallGuard guard = CallGuard.of(this.request, since -> this.attempts.incrementAndGet());

        assertThat(guard.enter()).isTrue();
        this.test.time.advance(99);

        assertThat(guard.leave()).isEqualTo(Exit.UNTOUCHED);
        assertThat(this.attempts).hasValue(0);
    }

    @Test
    void triesAgainUntilTheCallHasLeft() {
        CallGuard guard = CallGuard.of(this.request, since -> this.attempts.incrementAndGet());
        guard.enter();

        this.test.time.advance(100);
        spinWithTime(() -> this.attempts.get() >= 4);

        assertThat(guard.leave()).isEqualTo(Exit.STOPPED);
        int tried = this.attempts.get();
        this.test.time.advance(200);
        assertThat(this.attempts).hasValue(tried);
    }

    @Test
    void saysHowLongItHasBeenTrying() {
        AtomicBoolean harsher = new AtomicBoolean();
        CallGuard guard = CallGuard.of(
                this.request,
                since -> harsher.set(since >= Duration.ofMillis(60).toNanos()));
        guard.enter();

        this.test.time.advance(100);
        spinWithTime(harsher::get);
    }

    @Test
    void goesOnTryingWhenAnAttemptFails() {
        CallGuard guard = CallGuard.of(this.request, since -> {
            this.attempts.incrementAndGet();
            throw new IllegalStateException("not yet");
        });
        guard.enter();

        this.test.time.advance(100);
        spinWithTime(() -> this.attempts.get() >= 2);
    }

    @Test
    void goesOnTryingWhenNoThreadIsFree() {
        CountDownLatch free = new CountDownLatch(1);
        AtomicInteger busy = new AtomicInteger();
        for (int thread = 0; thread < 16; thread++) {
            Scope other = this.test.request(1_000, 0);
            CallGuard.of(other, since -> {
                        busy.incrementAndGet();
                        free.await();
                    })
                    .enter();
            other.cancel(Reason.CLIENT_ABORT);
        }
        spinUntil(() -> busy.get() == 16);
        CallGuard guard = CallGuard.of(this.request, since -> this.attempts.incrementAndGet());
        guard.enter();

        this.test.time.advance(100);
        spinWithTime(() -> this.test.engine.delayedHooks() > 0);
        assertThat(this.attempts).hasValue(0);
        free.countDown();

        spinWithTime(() -> this.attempts.get() >= 1);
    }

    /** C31: nothing more begins after the deadline. */
    @Test
    void refusesACallThatBeginsTooLate() {
        CallGuard guard = CallGuard.of(this.request, since -> this.attempts.incrementAndGet());
        this.test.time.advanceUnheard(100);

        assertThatExceptionOfType(DeadlineExceededException.class)
                .isThrownBy(guard::enter)
                .satisfies(refusal -> assertThat(refusal.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED));
        assertThat(guard.leave()).isEqualTo(Exit.UNTOUCHED);
        assertThat(this.attempts).hasValue(0);
    }

    @Test
    void guardsOneCallAtATime() {
        CallGuard guard = CallGuard.of(this.request, since -> this.attempts.incrementAndGet());

        assertThat(guard.enter()).isTrue();
        assertThat(guard.enter()).isFalse();
    }

    @Test
    void waitsOnLeavingForTheAttemptInFlight() {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean over = new AtomicBoolean();
        CallGuard guard = CallGuard.of(this.request, since -> {
            begun.countDown();
            await().pollDelay(Duration.ofMillis(20)).until(() -> true);
            over.set(true);
        });
        guard.enter();
        this.test.time.advance(100);
        spinUntil(() -> begun.getCount() == 0);

        assertThat(guard.leave()).isEqualTo(Exit.STOPPED);
        assertThat(over).isTrue();
    }

    @Test
    void givesAnAttemptUpThatHangs() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        try (RealEngine real = new RealEngine()) {
            CallGuard guard = CallGuard.of(real.request(Duration.ofMillis(10)), since -> {
                begun.countDown();
                released.await();
            });
            guard.enter();
            begun.await();
            Thread.currentThread().interrupt();

            assertThat(guard.leave()).isEqualTo(Exit.STILL_BEING_STOPPED);
            assertThat(Thread.interrupted()).as("the flag of somebody else").isTrue();
            released.countDown();
        }
    }

    /**
     * C16: what is meant for one call never hits the next. Without the compare-and-set on entering an attempt, or
     * without the wait for one in flight, this is red.
     */
    @Test
    void neverTriesAfterTheCallHasLeft() {
        SplittableRandom random = new SplittableRandom(7);
        AtomicInteger late = new AtomicInteger();
        AtomicInteger stopped = new AtomicInteger();
        for (int round = 0; round < ROUNDS; round++) {
            Scope scope = this.test.request(100, 0);
            AtomicBoolean left = new AtomicBoolean();
            CallGuard guard = CallGuard.of(scope, since -> {
                if (left.get()) {
                    late.incrementAndGet();
                }
            });
            guard.enter();
            scope.cancel(Reason.CLIENT_ABORT);
            for (int turn = random.nextInt(3_000); turn > 0; turn--) {
                Thread.onSpinWait();
            }
            Exit exit = guard.leave();
            left.set(true);
            stopped.addAndGet(exit == Exit.STOPPED ? 1 : 0);
            assertThat(exit).isNotEqualTo(Exit.STILL_BEING_STOPPED);
            guard.close();
        }
        assertThat(late).hasValue(0);
        assertThat(stopped.get()).as("both happen").isBetween(1, ROUNDS - 1);
    }

    /** Without the look at the scope after the change of state a call now and then is neither refused nor stopped. */
    @Test
    void eitherRefusesOrStopsACallThatBeginsWhenTimeIsUp() {
        AtomicInteger refused = new AtomicInteger();
        for (int round = 0; round < ROUNDS; round++) {
            Scope scope = this.test.request(100, 0);
            AtomicBoolean tried = new AtomicBoolean();
            CallGuard guard = CallGuard.of(scope, since -> tried.set(true));
            this.test.engine.stopper().afterwards().execute(() -> scope.cancel(Reason.CLIENT_ABORT));
            for (int turn = round % 500; turn > 0; turn--) {
                Thread.onSpinWait();
            }
            try {
                guard.enter();
            } catch (DeadlineExceededException ex) {
                refused.incrementAndGet();
                continue;
            }
            spinWithTime(tried::get);
            guard.leave();
            guard.close();
        }
        assertThat(refused.get()).as("both happen").isBetween(1, ROUNDS - 1);
    }

    // Rounds come with the clock, which stands still unless moved.
    private void spinWithTime(BooleanSupplier condition) {
        spinUntil(() -> {
            if (this.test.time.armedCount() > 0) {
                this.test.time.advance(20);
            }
            return condition.getAsBoolean();
        });
    }
}
