package dev.deadline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BansTests {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private static final ClientKey CLIENT = new ClientAddresses(32, 64).of("192.0.2.1", ClientKey.NO_RULE);

    private final AtomicLong now = new AtomicLong(-5);

    private final Bans bans = bans(3);

    private Bans bans(int after) {
        return new Bans(new BanTerms(after, 10 * SECOND, 60 * SECOND), 1000, this.now::get);
    }

    private void refused(int times) {
        for (int i = 0; i < times; i++) {
            this.bans.refused(CLIENT);
        }
    }

    private void pass(Duration time) {
        this.now.addAndGet(time.toNanos());
    }

    @Test
    void beginsWhenThereWereTooManyRefusalsWithinAMinute() {
        refused(2);
        assertThat(this.bans.left(CLIENT)).isZero();
        pass(Duration.ofSeconds(59));
        refused(1);

        assertThat(this.bans.left(CLIENT)).isEqualTo(10 * SECOND);
        pass(Duration.ofSeconds(9));
        assertThat(this.bans.left(CLIENT)).isEqualTo(SECOND);
        pass(Duration.ofSeconds(1));
        assertThat(this.bans.left(CLIENT)).isZero();
    }

    @Test
    void doesNotBeginForRefusalsThatAreFarApart() {
        for (int i = 0; i < 10; i++) {
            refused(2);
            pass(Duration.ofMinutes(1));
        }

        assertThat(this.bans.left(CLIENT)).isZero();
    }

    @Test
    void isTwiceAsLongEachTimeUpToItsMaximum() {
        for (long seconds : new long[] {10, 20, 40, 60, 60}) {
            refused(3);
            assertThat(this.bans.left(CLIENT)).isEqualTo(seconds * SECOND);
            pass(Duration.ofSeconds(seconds));
        }
    }

    @Test
    void countsNothingWhileItLasts() {
        refused(3);
        refused(100);

        assertThat(this.bans.left(CLIENT)).isEqualTo(10 * SECOND);
        pass(Duration.ofSeconds(10));
        refused(2);
        assertThat(this.bans.left(CLIENT)).isZero();
    }

    @Test
    void isForgottenAfterTheClientHasBehavedForLong() {
        refused(3);
        pass(Duration.ofSeconds(10 + 59));
        refused(3);
        assertThat(this.bans.left(CLIENT)).isEqualTo(20 * SECOND);

        pass(Duration.ofSeconds(20 + 60));
        refused(3);
        assertThat(this.bans.left(CLIENT)).isEqualTo(10 * SECOND);
    }

    @Test
    void concernsNobodyElse() {
        refused(3);

        assertThat(this.bans.left(new ClientAddresses(32, 64).of("192.0.2.2", ClientKey.NO_RULE)))
                .isZero();
    }

    /** Read and written apart, counts would be lost; and a ban must not be begun twice, and so be twice as long. */
    @Test
    void countsEachOfManyRefusalsAtTheSameTime() throws InterruptedException {
        int each = 20_000;
        Bans exact = bans(2 * each);
        CountDownLatch both = new CountDownLatch(2);
        Thread other = new Thread(() -> refuse(exact, each, both));
        other.start();
        refuse(exact, each - 1, both);
        other.join(TimeUnit.SECONDS.toMillis(30));

        assertThat(exact.left(CLIENT)).isZero();
        exact.refused(CLIENT);
        assertThat(exact.left(CLIENT)).isEqualTo(10 * SECOND);
    }

    private static void refuse(Bans bans, int times, CountDownLatch both) {
        both.countDown();
        try {
            both.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException ex) {
            throw new IllegalStateException(ex);
        }
        for (int i = 0; i < times; i++) {
            bans.refused(CLIENT);
        }
    }
}
