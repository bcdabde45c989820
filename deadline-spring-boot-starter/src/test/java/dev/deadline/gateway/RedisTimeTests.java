package dev.deadline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** C75: what the clock of this machine does has no part in it. */
class RedisTimeTests {

    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final AtomicLong now = new AtomicLong(1000);

    private final AtomicInteger asked = new AtomicInteger();

    private CompletableFuture<Long> answer = new CompletableFuture<>();

    private final RedisTime time = new RedisTime(
            this.now::get,
            () -> {
                this.asked.incrementAndGet();
                return this.answer;
            },
            5_000_000,
            980);

    @Test
    void goesOnFromWhatRedisSaid() {
        // Half of the 20 that the answer took.
        assertThat(this.time.currentTimeNanos()).isEqualTo(5_000_010);
        this.now.addAndGet(500);
        assertThat(this.time.currentTimeNanos()).isEqualTo(5_000_510);
        assertThat(this.asked).hasValue(0);
    }

    @Test
    void asksAgainAfterAMinuteWithoutWaiting() {
        this.now.addAndGet(MINUTE);
        assertThat(this.time.currentTimeNanos()).isEqualTo(5_000_010 + MINUTE);
        assertThat(this.time.currentTimeNanos()).isEqualTo(5_000_010 + MINUTE);
        assertThat(this.asked).hasValue(1);

        this.now.addAndGet(40);
        this.answer.complete(7_000_000L);
        assertThat(this.time.currentTimeNanos()).isEqualTo(7_000_020);
    }

    @Test
    void goesOnWithoutAnAnswer() {
        this.answer = CompletableFuture.failedFuture(new IllegalStateException());
        this.now.addAndGet(MINUTE);
        assertThat(this.time.currentTimeNanos()).isEqualTo(5_000_010 + MINUTE);
        this.now.addAndGet(MINUTE);
        assertThat(this.time.currentTimeNanos()).isEqualTo(5_000_010 + 2 * MINUTE);
        assertThat(this.asked).hasValue(2);
    }

    /** Without one atomic step both of two threads would ask that come at the same time. */
    @Test
    void asksOnceWhenAnotherComesInBetween() {
        AtomicReference<RedisTime> contended = new AtomicReference<>();
        AtomicBoolean another = new AtomicBoolean();
        contended.set(new RedisTime(
                () -> {
                    if (another.compareAndSet(true, false)) {
                        contended.get().currentTimeNanos();
                    }
                    return this.now.get();
                },
                () -> {
                    this.asked.incrementAndGet();
                    return this.answer;
                },
                0,
                0));
        this.now.addAndGet(MINUTE);
        another.set(true);

        contended.get().currentTimeNanos();

        assertThat(this.asked).hasValue(1);
    }
}
