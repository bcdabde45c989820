package dev.deadline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

class StorePauseTests {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final AtomicLong now = new AtomicLong();

    private final StorePause pause = new StorePause(this.now::get);

    @Test
    void keepsFromAskingForASecondAfterAFailure() {
        assertThat(this.pause.mayAsk()).isTrue();
        assertThat(this.pause.failed()).isTrue();
        assertThat(this.pause.failed()).isFalse();
        this.now.addAndGet(SECOND - 1);
        assertThat(this.pause.mayAsk()).isFalse();
        this.now.addAndGet(2);
        assertThat(this.pause.mayAsk()).isTrue();
        assertThat(this.pause.mayAsk()).isFalse();
    }

    @Test
    void isOverOnceTheStoreAnswers() {
        this.pause.failed();
        assertThat(this.pause.answered()).isTrue();
        assertThat(this.pause.answered()).isFalse();
        assertThat(this.pause.mayAsk()).isTrue();
        assertThat(this.pause.mayAsk()).isTrue();
    }

    /** Without one atomic step both would ask, and wait. */
    @Test
    void letsOneOfTwoAskWhenItIsOver() throws InterruptedException {
        int rounds = 50_000;
        AtomicInteger asking = new AtomicInteger();
        this.pause.failed();
        // Each round is later than the pause before; both threads set the same time.
        IntConsumer step = i -> {
            this.now.accumulateAndGet((i + 1) * 2 * SECOND, Math::max);
            asking.addAndGet(this.pause.mayAsk() ? 1 : 0);
        };

        Lockstep.run(rounds, step, step);

        assertThat(asking.get()).isLessThanOrEqualTo(rounds);
    }

    /** Without atomic steps both of two would say so in the log. */
    @Test
    void isBegunByOneAndEndedByOne() throws InterruptedException {
        int rounds = 50_000;
        StorePause[] pauses = new StorePause[rounds];
        Arrays.setAll(pauses, i -> new StorePause(this.now::get));
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        IntConsumer begin = i -> begun.addAndGet(pauses[i].failed() ? 1 : 0);
        IntConsumer end = i -> ended.addAndGet(pauses[i].answered() ? 1 : 0);

        Lockstep.run(rounds, begin, begin);
        Lockstep.run(rounds, end, end);

        assertThat(begun).hasValue(rounds);
        assertThat(ended).hasValue(rounds);
    }
}
