package dev.deadline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.DeadlineListener;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SharedTokensTests {

    private static final ClientAddresses ADDRESSES = new ClientAddresses(32, 64);

    private final AtomicLong now = new AtomicLong();

    private final List<Integer> told = new CopyOnWriteArrayList<>();

    private final DeadlineListener listener = new DeadlineListener() {
        @Override
        public void tokenShared(String token, int addresses) {
            SharedTokensTests.this.told.add(addresses);
        }
    };

    private static ClientKey token(int i) {
        return TokenHash.withKey("0123456789abcdef").of("token-" + i);
    }

    private static ClientKey address(int i) {
        return ADDRESSES.of("10.1." + (i >>> 8) + "." + (i & 255), ClientKey.NO_RULE);
    }

    @Test
    void countsNetworksWithinTenMinutesOnly() {
        SharedTokens tokens = new SharedTokens(20, this.listener, this.now::get);
        for (int i = 0; i < 100; i++) {
            tokens.seen(token(1), address(i));
            this.now.addAndGet(Duration.ofMinutes(1).toNanos());
        }

        assertThat(this.told).isEmpty();
    }

    @Test
    void tellsAgainWhenItGoesOnLater() {
        SharedTokens tokens = new SharedTokens(10, this.listener, this.now::get);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 60; i++) {
                tokens.seen(token(1), address(i));
            }
            this.now.addAndGet(Duration.ofMinutes(10).toNanos());
        }

        assertThat(this.told).hasSize(2);
    }

    @Test
    void estimatesHowManyThereAre() {
        for (int many : new int[] {10, 50, 150}) {
            int low = 0;
            for (int i = 0; i < 50; i++) {
                this.told.clear();
                SharedTokens tokens = new SharedTokens(many / 2, this.listener, this.now::get);
                for (int j = 0; j < many; j++) {
                    tokens.seen(token(i), address(1000 * (i % 60) + j));
                }
                low += this.told.isEmpty() ? 1 : 0;
            }
            assertThat(low)
                    .as("of 50 tokens from %d networks not told of", many)
                    .isLessThanOrEqualTo(1);
        }
    }

    /** Without one atomic step for each, networks are forgotten, and it is told of one token twice or never. */
    @Test
    void forgetsNoneOfTheNetworksThatTwoThreadsSee() throws InterruptedException {
        ClientKey[] byBit = new ClientKey[Long.SIZE];
        for (int i = 0; Arrays.asList(byBit).contains(null); i++) {
            byBit[(int) (address(i).clientHash() >>> 58)] = address(i);
        }
        SharedTokens.Places[] places = new SharedTokens.Places[50_000];
        Arrays.setAll(places, i -> new SharedTokens.Places());
        AtomicInteger times = new AtomicInteger();

        Lockstep.run(
                places.length,
                i -> times.addAndGet(see(places[i], byBit, 0)),
                i -> times.addAndGet(see(places[i], byBit, 1)));

        assertThat(places).allMatch(each -> each.estimate() > 300);
        assertThat(times).hasValue(places.length);
    }

    // Every second one; how often the threshold was reached.
    private static int see(SharedTokens.Places places, ClientKey[] all, int first) {
        int times = 0;
        for (int i = first; i < all.length; i += 2) {
            times += (places.takenTo(10, all[i]) > 0) ? 1 : 0;
        }
        return times;
    }
}
