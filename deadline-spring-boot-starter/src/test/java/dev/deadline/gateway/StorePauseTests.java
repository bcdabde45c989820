package dev.deadline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

class StorePauseTests {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final AtomicLong now = new AtomicLong();

    private final StorePause pause = new StorePause(this.now::get);

    @Test
    void keepsFromAskingForASecondAfterAFailure() {
        assertThat(this.pause.mayAsk()).isTrue();
        assertThat(this.pause.failed(this.now.get())).isTrue();
        assertThat(this.pause.failed(this.now.get())).isFalse();
        this.now.addAndGet(SECOND - 1);
        assertThat(this.pause.mayAsk()).isFalse();
        this.now.addAndGet(2);
        assertThat(this.pause.mayAsk()).isTrue();
        assertThat(this.pause.mayAsk()).isFalse();
    }

    @Test
    void isOverOnceTheStoreAnswers() {
        this.pause.failed(this.now.get());
        assertThat(this.pause.answered()).isTrue();
        assertThat(this.pause.answered()).isFalse();
        assertThat(this.pause.mayAsk()).isTrue();
        assertThat(this.pause.mayAsk()).isTrue();
    }

    /** Who keeps a bucket so busy that its requests time out must not have all others let in. */
    @Test
    void isNotBegunByARequestThatFailedWhileAnotherHadItsAnswer() {
        long asked = this.now.getAndAdd(10);
        this.pause.answered();
        this.now.addAndGet(10);
        assertThat(this.pause.failed(asked)).isFalse();
        assertThat(this.pause.mayAsk()).isTrue();

        assertThat(this.pause.failed(this.now.getAndAdd(10))).isTrue();
        assertThat(this.pause.mayAsk()).isFalse();
    }

    /** Without one atomic step both would ask, and wait. */
    @Test
    void letsOneAskWhenAnotherComesInBetween() {
        AtomicReference<StorePause> contended = new AtomicReference<>();
        AtomicBoolean another = new AtomicBoolean();
        AtomicBoolean anotherMay = new AtomicBoolean();
        contended.set(new StorePause(() -> {
            if (another.compareAndSet(true, false)) {
                anotherMay.set(contended.get().mayAsk());
            }
            return this.now.get();
        }));
        contended.get().failed(this.now.get());
        this.now.addAndGet(2 * SECOND);
        another.set(true);

        assertThat(contended.get().mayAsk()).isFalse();
        assertThat(anotherMay).isTrue();
    }

    /** Without atomic steps both of two would say so in the log. */
    @Test
    void isBegunByOneAndEndedByOne() throws InterruptedException {
        int rounds = 20_000;
        StorePause[] pauses = new StorePause[rounds];
        Arrays.setAll(pauses, i -> new StorePause(this.now::get));
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        IntConsumer begin = i -> begun.addAndGet(pauses[i].failed(this.now.get()) ? 1 : 0);
        IntConsumer end = i -> ended.addAndGet(pauses[i].answered() ? 1 : 0);

        Lockstep.run(rounds, begin, begin);
        Lockstep.run(rounds, end, end);

        assertThat(begun).hasValue(rounds);
        assertThat(ended).hasValue(rounds);
    }
}
