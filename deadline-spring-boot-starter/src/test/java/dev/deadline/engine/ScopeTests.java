package dev.deadline.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.deadline.Deadline;
import dev.deadline.Deadline.Registration;
import dev.deadline.DeadlineExceededException;
import dev.deadline.Reason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScopeTests {

    private final TestEngine test = new TestEngine();

    private final ManualWatchdog time = this.test.time;

    @AfterEach
    void close() {
        this.test.close();
    }

    @Test
    void allowsWhatTheReserveLeaves() {
        Deadline deadline = this.test.request(1500, 0);
        this.time.advance(600);

        assertThat(deadline.allow(Duration.ofMillis(250), Duration.ofMillis(800)))
                .isEqualTo(Duration.ofMillis(100));
        assertThat(deadline.allow(Duration.ofMillis(50), Duration.ofMillis(800)))
                .isEqualTo(Duration.ofMillis(50));
    }

    @Test
    void allowsNothingWhenTheReserveNeedsItAll() {
        Deadline deadline = this.test.request(1000, 0);
        this.time.advance(300);

        assertThat(deadline.allow(Duration.ofMillis(500), Duration.ofMillis(800)))
                .isZero();
    }

    @Test
    void withholdsTheConfiguredReserveUnlessToldOtherwise() {
        Deadline deadline = this.test.request(1500, 800);
        this.time.advance(600);

        assertThat(deadline.allow(Duration.ofMillis(250))).isEqualTo(Duration.ofMillis(100));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void refusesToAllowNothingOrLess(long nanos) {
        Deadline deadline = this.test.request(1500, 0);

        assertThatIllegalArgumentException().isThrownBy(() -> deadline.allow(Duration.ofNanos(nanos)));
    }

    @Test
    void endsWithItsReasonWhenTimeIsUp() {
        Scope scope = this.test.request(100, 0);
        this.time.advance(99);
        assertThat(scope.isExpired()).isFalse();

        this.time.advance(1);

        assertThat(scope.isExpired()).isTrue();
        assertThat(scope.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED);
        assertThat(scope.remaining()).isZero();
        assertThatExceptionOfType(DeadlineExceededException.class)
                .isThrownBy(scope::checkpoint)
                .satisfies(thrown -> {
                    assertThat(thrown.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED);
                    assertThat(thrown.waited()).isEqualTo(Duration.ofMillis(100));
                });
    }

    @Test
    void keepsItsFirstReason() {
        Scope scope = this.test.request(100, 0);

        assertThat(scope.cancel(Reason.CLIENT_ABORT)).isTrue();
        this.time.advance(200);

        assertThat(scope.reason()).isEqualTo(Reason.CLIENT_ABORT);
        assertThat(scope.cancel(Reason.BUDGET_EXHAUSTED)).isFalse();
    }

    @Test
    void sendsTheTimeAsReasonWhenTheClientLeavesAtThatMoment() {
        Scope scope = new Scope(
                new Budget(this.test.engine, 100, 0, 0, Mode.ENFORCE, false, null),
                null,
                Scope.Kind.REQUEST,
                "some",
                this.time.nanoTime() - 100,
                100);

        scope.cancel(Reason.CLIENT_ABORT);

        assertThat(scope.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED);
    }

    @Test
    void leavesNothingArmedWhenItsWorkEnds() {
        Scope scope = this.test.request(60_000, 0);
        assertThat(this.time.armedCount()).isOne();

        assertThat(scope.complete()).isTrue();

        assertThat(this.time.armedCount()).isZero();
        this.time.advance(120_000);
        assertThat(scope.reason()).isNull();
    }

    /** C73: the largest lengths neither overflow nor fire early. */
    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE - 1, Long.MAX_VALUE / 2, 30L * 24 * 3600 * 1_000_000_000L})
    void neitherOverflowsNorFiresEarlyWithTheLargestBudgets(long budgetNanos) {
        Scope scope = this.test.engine.openRequest(this.time.nanoTime(), budgetNanos, 0, Mode.ENFORCE, false);

        this.time.advance(Duration.ofDays(29));

        assertThat(scope.isExpired()).isFalse();
        assertThat(scope.remaining()).isPositive();
        assertThat(Nanos.of(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(Long.MAX_VALUE);
        assertThat(Nanos.of(Duration.ofMillis(Long.MAX_VALUE))).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void runsItsHooksOnceNewestFirst() {
        Scope scope = this.test.request(100, 0);
        List<String> ran = new CopyOnWriteArrayList<>();
        scope.onCancel(reason -> ran.add("older " + reason.code()));
        scope.onCancel(reason -> ran.add("newer " + reason.code()));

        this.time.advance(100);
        await().until(() -> ran.size() == 2);
        this.time.advance(100);

        assertThat(ran).containsExactly("newer budget_exhausted", "older budget_exhausted");
    }

    @Test
    void runsNoHookThatWasTakenBackOrOutlivedItsWork() {
        Scope scope = this.test.request(100, 0);
        List<String> ran = new CopyOnWriteArrayList<>();
        Registration registration = scope.onCancel(reason -> ran.add("taken back"));
        registration.close();
        registration.close();
        scope.onCancel(reason -> ran.add("outlived"));

        scope.complete();
        this.time.advance(200);

        assertThat(ran).isEmpty();
    }

    @Test
    void runsAHookAtOnceWhenItIsOverAlready() {
        Scope scope = this.test.request(100, 0);
        this.time.advance(100);
        List<Thread> ran = new CopyOnWriteArrayList<>();

        scope.onCancel(reason -> ran.add(Thread.currentThread()));

        assertThat(ran).containsExactly(Thread.currentThread());
    }

    /** C17: a cancel that hangs delays neither the other hooks of its scope nor anybody else's deadline. */
    @Test
    void runsTheOtherHooksWhenOneHangs() throws InterruptedException {
        Scope dark = this.test.request(100, 0);
        Scope other = this.test.request(100, 0);
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger ran = new AtomicInteger();
        dark.onCancel(reason -> ran.incrementAndGet());
        dark.onCancel(reason -> {
            hanging.countDown();
            awaitQuietly(release);
        });
        other.onCancel(reason -> ran.incrementAndGet());

        this.time.advance(100);
        hanging.await();
        await().untilAsserted(() -> {
            this.time.advance(20);
            assertThat(ran).hasValue(2);
        });

        release.countDown();
    }

    @Test
    void cancelsWhatHooksWereRegisteredInside() {
        Scope request = this.test.request(100, 0);
        Scope step = child(request, 1000);
        List<Reason> ran = new CopyOnWriteArrayList<>();
        step.onCancel(ran::add);

        request.cancel(Reason.CLIENT_ABORT);

        await().untilAsserted(() -> assertThat(ran).containsExactly(Reason.CLIENT_ABORT));
        assertThat(step.reason()).isEqualTo(Reason.CLIENT_ABORT);
    }

    @Test
    void runsHooksOfAStepThatIsLeftAfterItsRequestEnded() {
        Scope request = this.test.request(100, 0);
        Scope step = child(request, 1000);
        List<Reason> ran = new CopyOnWriteArrayList<>();
        step.onCancel(ran::add);

        this.time.advance(100);
        step.complete();

        await().untilAsserted(() -> assertThat(ran).containsExactly(Reason.BUDGET_EXHAUSTED));
    }

    @Test
    void doesNotKeepFinishedChildren() {
        Scope request = this.test.request(60_000, 0);
        request.onCancel(reason -> {}).close();
        for (int i = 0; i < 10; i++) {
            Scope step = child(request, 10);
            step.onCancel(reason -> {});
            if (i % 2 == 0) {
                step.complete();
            } else {
                this.time.advance(10);
            }
        }

        assertThat(request.hooks().isEmpty()).isTrue();
    }

    @Test
    void speaksForNoDeadlineOutsideOfAny() {
        Deadline deadline = Deadline.current();

        assertThat(deadline).isSameAs(Deadline.none());
        assertThat(deadline.isBounded()).isFalse();
        assertThat(deadline.allow(Duration.ofDays(1))).isEqualTo(Duration.ofDays(1));
        deadline.checkpoint();
    }

    @Test
    void observesWithoutCutting() {
        this.test.mode.set(Mode.OBSERVE);
        Scope scope = this.test.request(100, 80);

        this.time.advance(1000);

        assertThat(scope.isExpired()).isFalse();
        assertThat(scope.allow(Duration.ofMillis(500))).isEqualTo(Duration.ofMillis(500));
        scope.checkpoint();
        this.test.engine.finishRequest(scope, dev.deadline.Outcome.OK, null, RequestAnswer.UNKNOWN);
        assertThat(this.test.recorder.requests).singleElement().satisfies(event -> {
            assertThat(event.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED);
            assertThat(event.enforced()).isFalse();
        });
    }

    private Scope child(Scope parent, long millis) {
        return new Scope(
                parent.budget,
                parent,
                Scope.Kind.STEP,
                "some",
                this.time.nanoTime(),
                Duration.ofMillis(millis).toNanos());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }
}
