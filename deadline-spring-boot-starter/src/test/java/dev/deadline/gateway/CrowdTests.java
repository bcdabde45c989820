package dev.deadline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.Priority;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

class CrowdTests {

    private static final long MILLI = 1_000_000;

    private static final long BUDGET = 500 * MILLI;

    private static final int TIMES = 20_000;

    private final Flow flow = new Flow();

    private final Crowd crowd = new Crowd(this.flow);

    private long now = 1_000 * MILLI;

    // A hundred in a quarter of a second, each in 0.2 s: at that rate 0.45 s, which is what they may take, are enough
    // for 180.
    private void serveAHundred() {
        for (int i = 0; i < 100; i++) {
            this.flow.served(this.now, 200 * MILLI);
        }
        this.now += 250 * MILLI;
        this.flow.served(this.now, 200 * MILLI);
    }

    private int largest(Priority priority) {
        int size = this.crowd.size();
        while (!this.crowd.isTooLarge(this.now, BUDGET, priority)) {
            this.crowd.entered();
        }
        int largest = this.crowd.size();
        while (this.crowd.size() > size) {
            this.crowd.left();
        }
        return largest;
    }

    @Test
    void isAsLargeAsCanBeServedInTheTimeThereIs() {
        serveAHundred();

        assertThat(largest(Priority.DEFAULT)).isEqualTo(180);
        assertThat(largest(Priority.CRITICAL)).isEqualTo(216);
        assertThat(largest(Priority.SHEDDABLE)).isEqualTo(108);
    }

    @Test
    void isSmallerWhenRequestsAreLateAndGrowsAgain() {
        serveAHundred();
        for (int i = 0; i < 5; i++) {
            this.flow.late(this.now, BUDGET);
            this.crowd.late(this.now);
        }
        assertThat(largest(Priority.DEFAULT)).isEqualTo(140);

        this.now += 500 * MILLI;
        this.flow.served(this.now, 200 * MILLI);
        assertThat(largest(Priority.DEFAULT)).isEqualTo(142);
    }

    @Test
    void isAsLargeAsBeforeWhenOneOfManyIsLate() {
        serveAHundred();
        this.flow.late(this.now, BUDGET);
        this.crowd.late(this.now);

        assertThat(largest(Priority.DEFAULT)).isEqualTo(180);
    }

    @Test
    void isNeverTooLargeWhereNothingTakesLong() {
        for (int i = 0; i < 100; i++) {
            this.flow.served(this.now, 20 * MILLI);
        }
        for (int i = 0; i < 10_000; i++) {
            this.crowd.entered();
        }

        assertThat(this.crowd.isTooLarge(this.now, BUDGET, Priority.DEFAULT)).isFalse();
    }

    /** Where nothing is served any more nothing is served late either, and that must not look as if all were well. */
    @Test
    void isTooLargeWhenNothingIsServedInTime() {
        for (int i = 0; i < 100; i++) {
            this.crowd.entered();
            this.flow.late(this.now, 2 * BUDGET);
        }

        assertThat(this.crowd.isTooLarge(this.now, BUDGET, Priority.DEFAULT)).isTrue();
    }

    @Test
    void isNeverTooLargeWhenItIsSmall() {
        this.flow.served(this.now, 400 * MILLI);
        for (int i = 0; i < 31; i++) {
            this.crowd.entered();
        }
        assertThat(this.crowd.isTooLarge(this.now, BUDGET, Priority.DEFAULT)).isFalse();

        this.crowd.entered();
        assertThat(this.crowd.isTooLarge(this.now, BUDGET, Priority.DEFAULT)).isTrue();
    }

    /** Without one atomic step for each, one of two that come or go at the same time is not counted. */
    @Test
    void countsAllThatComeAndGoAtTheSameTime() throws InterruptedException {
        int rounds = 20;
        IntConsumer come = i -> times(this.crowd::entered);
        IntConsumer go = i -> times(this.crowd::left);

        Lockstep.run(rounds, come, come);
        assertThat(this.crowd.size()).isEqualTo(2 * rounds * TIMES);

        Lockstep.run(rounds, go, go);
        assertThat(this.crowd.size()).isZero();
    }

    private static void times(Runnable step) {
        for (int i = 0; i < TIMES; i++) {
            step.run();
        }
    }
}
