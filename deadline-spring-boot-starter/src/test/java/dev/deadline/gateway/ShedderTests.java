package dev.deadline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.GateCause;
import dev.deadline.Priority;
import dev.deadline.engine.Budget;
import dev.deadline.engine.RequestAnswer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each rule by itself; how they work together is in {@link ShedderSimulationTests}. */
class ShedderTests {

    private static final long MILLI = 1_000_000;

    private static final long BUDGET = 500 * MILLI;

    private static final int KIND = 7;

    private int queued = ArrivalQueue.UNKNOWN;

    private Shedder shedder = new Shedder(() -> this.queued, Budget.UNBOUNDED);

    private long now = 1;

    @Nullable
    private GateCause judge(long waited, long remaining) {
        long left = this.shedder.leftNanos(waited, remaining);
        return this.shedder.judge(this.now, waited, left, Priority.DEFAULT, KIND);
    }

    private void serve(int count, long nanos) {
        for (int i = 0; i < count; i++) {
            this.shedder.entered();
            this.shedder.left(this.now, nanos, BUDGET, Ending.ANSWERED, KIND);
        }
    }

    @Test
    void refusesWhatIsExpired() {
        assertThat(judge(BUDGET, 0)).isEqualTo(GateCause.EXPIRED);
        assertThat(judge(RequestAnswer.UNKNOWN, -5)).isEqualTo(GateCause.EXPIRED);
        assertThat(judge(BUDGET - 1, 1)).isNull();
    }

    @Test
    void goesByTheObjectiveWhereThatIsLess() {
        this.shedder = new Shedder(() -> this.queued, 100 * MILLI);

        assertThat(judge(100 * MILLI, BUDGET)).isEqualTo(GateCause.EXPIRED);
        assertThat(judge(100 * MILLI, Budget.UNBOUNDED)).isEqualTo(GateCause.EXPIRED);
        assertThat(judge(99 * MILLI, Budget.UNBOUNDED)).isNull();
    }

    @Test
    void knowsWhatHasAllTheTime() {
        assertThat(this.shedder.leftNanos(10_000 * MILLI, Budget.UNBOUNDED)).isEqualTo(Budget.UNBOUNDED);
        assertThat(this.shedder.leftNanos(RequestAnswer.UNKNOWN, Budget.UNBOUNDED))
                .isEqualTo(Budget.UNBOUNDED);
    }

    @Test
    void seesTheQueueThroughWhatHasAllTheTimeButCountsItForNothing() {
        this.queued = 100;
        for (long at = 0; at <= 450 * MILLI; at += 50 * MILLI) {
            this.shedder.passed(this.now, 10 * MILLI);
            this.now += 50 * MILLI;
        }
        assertThat(judge(300 * MILLI, BUDGET - 300 * MILLI)).isEqualTo(GateCause.STANDING_QUEUE);

        this.queued = 90;
        this.now += 300 * MILLI;
        for (int i = 0; i < 50; i++) {
            this.shedder.passed(this.now, 400 * MILLI);
        }
        serve(5, 20 * MILLI);
        assertThat(judge(300 * MILLI, BUDGET - 300 * MILLI))
                .as("the queue becomes shorter")
                .isNull();
    }

    /** What nobody cut, since the budget is longer or nothing is enforced, may be late for all that. */
    @Test
    void takesForLateWhatTookLongerThanItHad() {
        this.shedder = new Shedder(() -> this.queued, 100 * MILLI);
        for (int i = 0; i < 100; i++) {
            this.shedder.entered();
            this.shedder.left(this.now, 200 * MILLI, 100 * MILLI, Ending.ANSWERED, KIND);
        }
        assertThat(judge(10 * MILLI, Budget.UNBOUNDED)).as("not learnt from").isNull();

        letAQueueStand(450 * MILLI);
        this.shedder.entered();
        this.shedder.left(this.now, 200 * MILLI, 100 * MILLI, Ending.ANSWERED, KIND);
        this.queued = 99;
        assertThat(judge(50 * MILLI, Budget.UNBOUNDED)).as("not served").isEqualTo(GateCause.STANDING_QUEUE);
    }

    /** A quarter of a second after the other, long enough waiting, and the queue is as long as it was. */
    private void letAQueueStand(long nanos) {
        this.queued = 100;
        for (long at = 0; at <= nanos; at += 50 * MILLI) {
            judge(10 * MILLI, BUDGET);
            this.now += 50 * MILLI;
        }
    }

    @Test
    void refusesWhatWaitedInAStandingQueue() {
        letAQueueStand(450 * MILLI);

        assertThat(judge(151 * MILLI, BUDGET - 151 * MILLI)).isEqualTo(GateCause.STANDING_QUEUE);
        assertThat(judge(149 * MILLI, BUDGET - 149 * MILLI)).isNull();
    }

    @Test
    void sparesWhatWaitedInAQueueThatHasNotStoodForLong() {
        letAQueueStand(300 * MILLI);

        assertThat(judge(300 * MILLI, BUDGET - 300 * MILLI)).isNull();
    }

    @Test
    void sparesWhatWaitedInAQueueThatHasBeenEmptyMeanwhile() {
        letAQueueStand(450 * MILLI);
        this.queued = 0;
        judge(10 * MILLI, BUDGET);
        this.queued = 100;

        assertThat(judge(300 * MILLI, BUDGET - 300 * MILLI)).isNull();
    }

    @Test
    void takesAQueueForEmptyThatSomethingLeftAtOnce() {
        letAQueueStand(450 * MILLI);
        judge(MILLI - 1, BUDGET);

        assertThat(judge(300 * MILLI, BUDGET - 300 * MILLI)).isNull();
    }

    @Test
    void sparesWhatWaitedInAQueueThatIsBeingWorkedOff() {
        letAQueueStand(450 * MILLI);
        this.queued = 20;
        serve(30, 20 * MILLI);

        assertThat(judge(300 * MILLI, BUDGET - 300 * MILLI)).isNull();
    }

    /** C63: what is not known is neither a short wait nor an empty queue. */
    @Test
    void takesAnUnknownWaitForNoWait() {
        letAQueueStand(450 * MILLI);

        // Does not count as one that came through at once.
        assertThat(judge(RequestAnswer.UNKNOWN, BUDGET)).isNull();
        assertThat(judge(300 * MILLI, BUDGET - 300 * MILLI)).isEqualTo(GateCause.STANDING_QUEUE);
    }

    @Test
    void refusesWhatWouldTakeLongerThanIsLeftAndLetsSomeTryAllTheSame() {
        serve(60, 200 * MILLI);
        int refused = 0;
        for (int i = 0; i < 1000; i++) {
            if (judge(RequestAnswer.UNKNOWN, 100 * MILLI) == GateCause.NO_TIME_LEFT) {
                refused++;
            }
        }

        assertThat(refused).isBetween(880, 990);
        assertThat(judge(RequestAnswer.UNKNOWN, 210 * MILLI)).isNull();
        assertThat(this.shedder.judge(this.now, RequestAnswer.UNKNOWN, 100 * MILLI, Priority.DEFAULT, KIND + 1))
                .as("another kind")
                .isNull();
    }

    @Test
    void letsOneInTenthOfASecondTryWhateverChanceSays() {
        serve(60, 200 * MILLI);
        judge(RequestAnswer.UNKNOWN, 100 * MILLI);
        for (int i = 0; i < 20; i++) {
            this.now += 100 * MILLI;
            assertThat(judge(RequestAnswer.UNKNOWN, 100 * MILLI)).isNull();
        }
    }

    @Test
    void knowsNothingOfAKindThatHasHardlyBeenSeen() {
        serve(49, 200 * MILLI);

        assertThat(judge(RequestAnswer.UNKNOWN, 100 * MILLI)).isNull();
    }

    @Test
    void countsWhatIsInside() {
        this.shedder.entered();
        this.shedder.entered();
        this.shedder.left(this.now, 0, BUDGET, Ending.ABORTED, KIND);

        assertThat(this.shedder.inFlight()).isOne();
    }

    /** Who floods with an accepted token is refused behind the gate, which takes no time and is no service. */
    @Test
    void learnsNothingFromWhatIsRefusedFurtherIn() {
        letAQueueStand(450 * MILLI);
        for (int i = 0; i < 1_000; i++) {
            judge(10 * MILLI, BUDGET);
            this.shedder.entered();
            this.shedder.left(this.now, 0, BUDGET, Ending.REFUSED, KIND);
        }
        assertThat(judge(300 * MILLI, BUDGET - 300 * MILLI)).isEqualTo(GateCause.STANDING_QUEUE);

        // Nor does it look as if more came in than is served.
        this.queued = 20;
        serve(30, 400 * MILLI);
        assertThat(judge(300 * MILLI, BUDGET - 300 * MILLI)).isNull();

        this.queued = 0;
        serve(30, 400 * MILLI);
        assertThat(Stream.generate(() -> judge(10 * MILLI, 100 * MILLI)).limit(100))
                .contains(GateCause.NO_TIME_LEFT);
    }

    /** Without the compare-and-set both would be the probe of that tenth of a second. */
    @Test
    void letsOneOfTwoTryAtTheSameTime() throws InterruptedException {
        serve(100, 400 * MILLI);
        int rounds = 20_000;
        AtomicInteger let = new AtomicInteger();
        IntConsumer step = i -> {
            GateCause cause = this.shedder.judge(
                    this.now + (i + 1) * 100 * MILLI, RequestAnswer.UNKNOWN, 100 * MILLI, Priority.DEFAULT, KIND);
            let.addAndGet((cause == null) ? 1 : 0);
        };

        Lockstep.run(rounds, step, step);

        // One in each round, and of the others one in twenty by chance.
        assertThat(let.get()).isBetween(rounds, (int) (1.065 * rounds));
    }
}
