package dev.deadline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * C66: a flood of addresses, half of them IPv6, with one client among them that never stops asking and one that is honest.
 * Three million addresses with {@code -Ddeadline.slow-tests=true}.
 */
class FloodTests {

    private static final boolean SLOW = Boolean.getBoolean("deadline.slow-tests");

    private static final int ADDRESSES = SLOW ? 3_000_000 : 150_000;

    private static final int MAX_KEYS = SLOW ? 100_000 : 10_000;

    // A key, its bucket and their places in the cache.
    private static final int BYTES_PER_KEY = 600;

    private static final long LIMIT = 5;

    private static final long BURST = 10;

    // So many at a time that they are not forgotten before there are too many.
    private static final long STEP = TimeUnit.MICROSECONDS.toNanos(SLOW ? 5 : 50);

    // 4 requests a second.
    private static final long HONEST = TimeUnit.MILLISECONDS.toNanos(250) / STEP;

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1_000_000);

    private final LimitRule rule = Rules.forAll(LIMIT, BURST);

    private final ClientAddresses addresses = new ClientAddresses(32, 64);

    @Test
    void leavesMemoryBoundedTheAbuserRefusedAndTheHonestClientServed() {
        LocalLimitStore store = new LocalLimitStore(List.of(this.rule), MAX_KEYS, this.now::get);
        long before = usedHeap();
        long begin = this.now.get();
        long admittedAbuser = 0;
        long admittedStrangers = 0;
        long longestRun = 0;
        long run = 0;
        for (int i = 0; i < ADDRESSES; i++) {
            this.now.addAndGet(STEP);
            admittedStrangers += asks(store, stranger(i)) ? 1 : 0;
            // Thousands of requests a second, of which it may have 5.
            if (i % 10 == 0) {
                boolean admitted = asks(store, "198.51.100.66");
                admittedAbuser += admitted ? 1 : 0;
                run = admitted ? run + 1 : 0;
                longestRun = (i > 1000) ? Math.max(longestRun, run) : 0;
            }
            if (i % HONEST == 0) {
                assertThat(asks(store, "203.0.113.5"))
                        .as("honest client at %d", i)
                        .isTrue();
            }
        }
        double seconds = (this.now.get() - begin) / 1e9;

        assertThat(admittedAbuser).isLessThanOrEqualTo((long) (BURST + LIMIT * seconds + 1));
        assertThat(longestRun).as("admitted at a stretch").isLessThanOrEqualTo(1);
        assertThat(admittedStrangers).isLessThanOrEqualTo((long) (ADDRESSES * (BURST + LIMIT * seconds)));
        assertThat(store.size()).isBetween(MAX_KEYS * 9L / 10, (long) MAX_KEYS);
        long used = usedHeap() - before;
        System.out.printf("Heap for %,d keys: %,d bytes, %d a key%n", store.size(), used, used / store.size());
        assertThat(used).isLessThanOrEqualTo((long) MAX_KEYS * BYTES_PER_KEY);
    }

    @Test
    void forgetsClientsWhoseBucketsWouldBeFull() {
        LocalLimitStore store = new LocalLimitStore(List.of(this.rule), MAX_KEYS, this.now::get);
        for (int i = 0; i < 1000; i++) {
            asks(store, stranger(i));
        }
        assertThat(store.size()).isEqualTo(1000);

        this.now.addAndGet(this.rule.fillNanos());

        assertThat(store.size()).isZero();
    }

    /** C68. */
    @Test
    void takesThousandAddressesOfOneNetworkForOneClient() {
        LocalLimitStore store = new LocalLimitStore(List.of(this.rule), MAX_KEYS, this.now::get);
        int admitted = 0;
        for (int i = 0; i < 1000; i++) {
            admitted += asks(store, "2001:db8:1:2::" + Integer.toHexString(i)) ? 1 : 0;
        }

        assertThat(admitted).isEqualTo((int) BURST);
    }

    private boolean asks(LimitStore store, String address) {
        return store.take(this.rule, this.addresses.of(address, 0)) == 0;
    }

    private static String stranger(int i) {
        return (i % 2 == 0)
                ? "10." + (i >>> 16 & 255) + "." + (i >>> 8 & 255) + "." + (i & 255)
                : "2001:db8:" + Integer.toHexString(i >>> 16) + ":" + Integer.toHexString(i & 0xffff) + "::1";
    }

    private static long usedHeap() {
        WeakReference<Object> garbage = new WeakReference<>(new Object());
        System.gc();
        Awaitility.await().atMost(10, TimeUnit.SECONDS).until(() -> garbage.get() == null);
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
