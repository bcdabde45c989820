package dev.deadline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecentSlotsTests {

    private static final long SLOT = 50;

    private final RecentSlots slots = new RecentSlots(SLOT, 8);

    @ParameterizedTest
    @ValueSource(longs = {0, -1_000, 1_000_000_007, Long.MAX_VALUE - 220, Long.MIN_VALUE})
    void sumsTheSlotsThatAreAskedFor(long start) {
        this.slots.add(start, 1);
        this.slots.add(start + SLOT, 10);
        this.slots.add(start + 2 * SLOT, 100);
        this.slots.add(start + 2 * SLOT, 100);

        assertThat(this.slots.sum(start + 2 * SLOT, 0)).isEqualTo(200);
        assertThat(this.slots.sum(start + 2 * SLOT, 1)).isEqualTo(210);
        assertThat(this.slots.sum(start + 2 * SLOT, 5)).isEqualTo(211);
        assertThat(this.slots.at(start + 2 * SLOT, 2)).isEqualTo(1);
        assertThat(this.slots.largest(start + 2 * SLOT, 5)).isEqualTo(10);
    }

    @Test
    void forgetsSlotBySlot() {
        this.slots.add(0, 1);
        this.slots.add(3 * SLOT, 1);

        assertThat(this.slots.sum(3 * SLOT, 3)).isEqualTo(2);
        assertThat(this.slots.sum(4 * SLOT, 3)).isEqualTo(1);
        assertThat(this.slots.sum(7 * SLOT, 3)).isZero();
        this.slots.add(8 * SLOT, 5);
        assertThat(this.slots.sum(8 * SLOT, 7)).isEqualTo(6);
    }

    @Test
    void keepsTheFirstNumberThatASlotBeginsWith() {
        this.slots.begin(10, 7);
        this.slots.begin(20, 9);

        assertThat(this.slots.at(SLOT, 1)).isEqualTo(7);
    }

    @Test
    void findsTheLastSlotThatHasANumber() {
        this.slots.begin(SLOT, 0);

        assertThat(this.slots.lastNoted(4 * SLOT, 2)).isEqualTo(3);
        assertThat(this.slots.lastNoted(3 * SLOT, 2)).isEqualTo(2);
        assertThat(this.slots.lastNoted(2 * SLOT, 2)).as("only a later one").isEqualTo(2);
        assertThat(this.slots.lastNoted(9 * SLOT, 2)).as("forgotten").isEqualTo(2);
    }

    @Test
    void dropsWhatComesAWholeRoundTooLate() {
        this.slots.add(8 * SLOT, 3);
        this.slots.add(0, 100);

        assertThat(this.slots.sum(8 * SLOT, 0)).isEqualTo(3);
    }

    @Test
    void beginsAgainAfterDaysOfSilence() {
        this.slots.add(0, 3);
        long later = (1L << 23) * SLOT + 8 * SLOT;
        this.slots.add(later, 5);

        assertThat(this.slots.sum(later, 7)).isEqualTo(5);
    }

    @Test
    void holdsAtTheLargestNumber() {
        this.slots.add(0, (1L << 40) - 2);
        this.slots.add(0, 100);

        assertThat(this.slots.sum(0, 0)).isEqualTo((1L << 40) - 1);
    }

    /** Without the compare-and-set numbers are lost whenever two threads meet in a slot. */
    @Test
    void losesNothingWhenThreadsMeet() throws Exception {
        int threads = 4;
        int rounds = 50_000;
        RecentSlots many = new RecentSlots(SLOT, 1024);
        CountDownLatch ready = new CountDownLatch(threads);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            Future<?>[] adding = new Future<?>[threads];
            for (int t = 0; t < threads; t++) {
                adding[t] = executor.submit(() -> {
                    ready.countDown();
                    ready.await();
                    for (int i = 0; i < rounds; i++) {
                        many.add(i, 1);
                    }
                    return null;
                });
            }
            for (Future<?> each : adding) {
                each.get(30, TimeUnit.SECONDS);
            }
        } finally {
            executor.shutdownNow();
        }

        assertThat(many.sum(rounds - 1, (int) (rounds / SLOT))).isEqualTo((long) threads * rounds);
    }
}
