package dev.deadline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.DeadlineListener;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SharedLimitStoreTests {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private static final LimitRule RULE = Rules.forAll(1, 1);

    private static final ClientKey CLIENT = new ClientAddresses(32, 64).of("192.0.2.1", 0);

    private static final ClientKey OTHER = new ClientAddresses(32, 64).of("192.0.2.2", 0);

    private final AtomicLong now = new AtomicLong();

    private final AtomicInteger failures = new AtomicInteger();

    private final AtomicInteger asked = new AtomicInteger();

    private final DeadlineListener listener = new DeadlineListener() {
        @Override
        public void limitStoreFailed() {
            SharedLimitStoreTests.this.failures.incrementAndGet();
        }
    };

    @FunctionalInterface
    private interface Answer {

        long get() throws Exception;
    }

    private SharedLimitStore store(Answer answer) {
        RemoteBuckets remote = new RemoteBuckets() {
            @Override
            public long take(LimitRule rule, ClientKey client, long timeout) throws Exception {
                SharedLimitStoreTests.this.asked.incrementAndGet();
                return answer.get();
            }

            @Override
            public void close() {}
        };
        return new SharedLimitStore(remote, SECOND, 100, this.listener, this.now::get);
    }

    @Test
    void refusesWithoutAskingUntilTheTimeTheStoreSaid() {
        SharedLimitStore store = store(() -> 3 * SECOND);

        assertThat(store.take(RULE, CLIENT)).isEqualTo(3 * SECOND);
        this.now.addAndGet(2 * SECOND);
        assertThat(store.take(RULE, CLIENT)).isEqualTo(SECOND);
        assertThat(this.asked).hasValue(1);
        this.now.addAndGet(SECOND);
        store.take(RULE, CLIENT);
        assertThat(this.asked).hasValue(2);
        assertThat(this.failures).hasValue(0);
    }

    @Test
    void letsInWhatTheStoreDoesNotAnswerForAndAsksOnceASecond() {
        SharedLimitStore store = store(() -> {
            throw new IOException("away");
        });

        for (int i = 0; i < 30; i++) {
            assertThat(store.take(RULE, CLIENT)).isZero();
            this.now.addAndGet(SECOND / 10);
        }
        assertThat(this.failures).hasValue(30);
        assertThat(this.asked.get()).isBetween(2, 3);
    }

    @Test
    void goesOnRefusingWhoWasRefusedBeforeTheStoreWentAway() {
        AtomicInteger calls = new AtomicInteger();
        SharedLimitStore store = store(() -> {
            if (calls.getAndIncrement() == 0) {
                return 10 * SECOND;
            }
            throw new IOException("away");
        });

        store.take(RULE, CLIENT);
        assertThat(store.take(RULE, OTHER)).isZero();
        assertThat(store.take(RULE, CLIENT)).isEqualTo(10 * SECOND);
    }

    @Test
    void countsAgainOnceTheStoreIsBack() {
        AtomicInteger calls = new AtomicInteger();
        SharedLimitStore store = store(() -> {
            if (calls.getAndIncrement() == 0) {
                throw new IOException("away");
            }
            return 0;
        });

        store.take(RULE, CLIENT);
        this.now.addAndGet(2 * SECOND);
        store.take(RULE, CLIENT);
        store.take(RULE, OTHER);
        assertThat(this.asked).hasValue(3);
        assertThat(this.failures).hasValue(1);
    }

    /** It is the thread that is in a hurry; the others go on asking. */
    @Test
    void letsAnInterruptedThreadInAndKeepsItsFlag() {
        SharedLimitStore store = store(() -> {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            return 0;
        });

        Thread.currentThread().interrupt();
        assertThat(store.take(RULE, CLIENT)).isZero();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(store.take(RULE, CLIENT)).isZero();
        assertThat(this.asked).hasValue(2);
        assertThat(this.failures).hasValue(1);
    }
}
