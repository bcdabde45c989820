package dev.deadline.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.deadline.DeadlineListener;
import dev.deadline.engine.MonotonicClock;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.embedded.RedisServer;

/** Against a real Redis. */
class RedisLimitStoreTests {

    // Long enough for a busy machine.
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    private static final ClientAddresses ADDRESSES = new ClientAddresses(32, 64);

    private final AtomicInteger failures = new AtomicInteger();

    private final DeadlineListener listener = new DeadlineListener() {
        @Override
        public void limitStoreFailed() {
            RedisLimitStoreTests.this.failures.incrementAndGet();
        }
    };

    private final List<SharedLimitStore> stores = new ArrayList<>();

    private final List<RedisClient> clients = new ArrayList<>();

    private int port;

    private RedisServer server;

    @BeforeEach
    void start() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            this.port = free.getLocalPort();
        }
        startServer();
    }

    private void startServer() throws IOException {
        this.server = new RedisServer(this.port);
        this.server.start();
    }

    @AfterEach
    void stop() throws IOException {
        this.stores.forEach(SharedLimitStore::close);
        this.clients.forEach(client -> client.shutdown(Duration.ZERO, Duration.ofSeconds(2)));
        this.server.stop();
    }

    private RedisClient client() {
        return clientAt(this.port);
    }

    private RedisClient clientAt(int port) {
        RedisClient client = RedisClient.create(
                RedisURI.builder().withHost("localhost").withPort(port).build());
        this.clients.add(client);
        return client;
    }

    private SharedLimitStore store(LimitRule rule, MonotonicClock clock) {
        return store(rule, clock, client());
    }

    private SharedLimitStore store(LimitRule rule, MonotonicClock clock, RedisClient client) {
        SharedLimitStore store =
                RedisLimitStores.of(() -> client, List.of(rule), "test:", TIMEOUT, 1000, this.listener, clock);
        this.stores.add(store);
        return store;
    }

    private static ClientKey client(int i) {
        return ADDRESSES.of("192.0.2." + i, 0);
    }

    @Test
    void countsForAllInstancesTogether() throws Exception {
        // Nothing is lost as long as nobody is held up for a second.
        LimitRule rule = Rules.forAll(200, 200);
        // Their clocks are far from each other, as those of two machines are.
        List<SharedLimitStore> instances = List.of(
                store(rule, System::nanoTime), store(rule, () -> System.nanoTime() + TimeUnit.DAYS.toNanos(40)));
        for (SharedLimitStore instance : instances) {
            Awaitility.await().atMost(10, TimeUnit.SECONDS).until(() -> answers(instance, rule));
        }
        this.failures.set(0);

        AtomicInteger admitted = new AtomicInteger();
        AtomicBoolean on = new AtomicBoolean(true);
        List<Thread> threads = new ArrayList<>();
        long begin = System.nanoTime();
        for (SharedLimitStore instance : instances) {
            for (int i = 0; i < 2; i++) {
                Thread thread = new Thread(() -> {
                    while (on.get()) {
                        if (instance.take(rule, client(1)) == 0) {
                            admitted.incrementAndGet();
                        }
                        LockSupport.parkNanos(200_000);
                    }
                });
                thread.start();
                threads.add(thread);
            }
        }
        long end = begin + TimeUnit.SECONDS.toNanos(3);
        Awaitility.await().atMost(10, TimeUnit.SECONDS).until(() -> System.nanoTime() - end >= 0);
        on.set(false);
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        }
        // What has come in since the last of them asked.
        for (SharedLimitStore instance : instances) {
            while (instance.take(rule, client(1)) == 0) {
                admitted.incrementAndGet();
            }
        }
        double seconds = (System.nanoTime() - begin) / 1e9;

        double allowed = 200 + 200 * seconds;
        assertThat(this.failures).hasValue(0);
        assertThat((double) admitted.get()).isBetween(allowed * 0.95, allowed * 1.05);
    }

    /** One at a time would be 250 requests in a second, and the others would wait for their turn. */
    @Test
    void countsForManyThreadsThatAskADistantRedisForOneClient() throws Exception {
        LimitRule rule = Rules.forAll(1000, 100);
        try (DistantPort distant = new DistantPort(this.port, Duration.ofMillis(1))) {
            SharedLimitStore store = store(rule, MonotonicClock.SYSTEM, clientAt(distant.port()));
            Awaitility.await().atMost(10, TimeUnit.SECONDS).until(() -> answers(store, rule));
            this.failures.set(0);

            AtomicInteger admitted = new AtomicInteger();
            long begin = System.nanoTime();
            long end = begin + TimeUnit.SECONDS.toNanos(2);
            inThreads(32, () -> {
                while (System.nanoTime() - end < 0) {
                    if (store.take(rule, client(1)) == 0) {
                        admitted.incrementAndGet();
                    }
                    LockSupport.parkNanos(200_000);
                }
            });
            double seconds = (System.nanoTime() - begin) / 1e9;

            double allowed = 100 + 1000 * seconds;
            assertThat(this.failures).hasValue(0);
            assertThat((double) admitted.get()).isBetween(allowed * 0.95, allowed * 1.05);
        }
    }

    private static void inThreads(int count, Runnable what) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(what);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        }
    }

    @Test
    void letsInExactlyTheBurstOfManyThreadsThatComeAtOnce() throws Exception {
        LimitRule rule = new LimitRule(0, LimitKey.ADDRESS, List.of("/**"), 1, TimeUnit.HOURS.toNanos(1), 20);
        try (DistantPort distant = new DistantPort(this.port, Duration.ofMillis(1))) {
            List<SharedLimitStore> instances = List.of(
                    store(rule, MonotonicClock.SYSTEM, clientAt(distant.port())), store(rule, MonotonicClock.SYSTEM));
            for (SharedLimitStore instance : instances) {
                Awaitility.await().atMost(10, TimeUnit.SECONDS).until(() -> answers(instance, rule));
            }
            this.failures.set(0);
            AtomicInteger admitted = new AtomicInteger();

            inThreads(32, () -> {
                for (SharedLimitStore instance : instances) {
                    admitted.addAndGet((instance.take(rule, client(1)) == 0) ? 1 : 0);
                }
            });

            assertThat(this.failures).hasValue(0);
            assertThat(admitted).hasValue(20);
        }
    }

    /** As after a long collection of garbage: the time of a request may be up before it has asked. */
    @Test
    void asksAgainForAClientOneOfWhoseRequestsHadNoTimeToAsk() {
        LimitRule rule = Rules.forAll(1, 1000);
        AtomicLong ahead = new AtomicLong();
        AtomicBoolean jumps = new AtomicBoolean();
        SharedLimitStore store = store(
                rule,
                () -> System.nanoTime() + (jumps.get() ? ahead.addAndGet(TimeUnit.SECONDS.toNanos(1)) : ahead.get()));
        Awaitility.await().atMost(10, TimeUnit.SECONDS).until(() -> answers(store, rule));
        this.failures.set(0);

        jumps.set(true);
        store.take(rule, client(1));
        jumps.set(false);
        assertThat(this.failures).hasValue(1);
        // So that the store is asked again.
        ahead.addAndGet(TimeUnit.SECONDS.toNanos(2));

        assertThat(store.take(rule, client(1))).isZero();
        assertThat(this.failures).hasValue(1);
    }

    private boolean answers(SharedLimitStore store, LimitRule rule) {
        int before = this.failures.get();
        store.take(rule, client(200));
        return this.failures.get() == before;
    }

    @Test
    void losesNoRequestWhenRedisGoesAwayAndCountsAgainWhenItIsBack() throws IOException {
        LimitRule rule = Rules.forAll(1, 1000);
        SharedLimitStore store = store(rule, MonotonicClock.SYSTEM);
        Awaitility.await().atMost(10, TimeUnit.SECONDS).until(() -> answers(store, rule));

        this.server.stop();
        this.failures.set(0);
        long longest = 0;
        for (int i = 0; i < 3000; i++) {
            long start = System.nanoTime();
            assertThat(store.take(rule, client(i % 100))).isZero();
            longest = Math.max(longest, System.nanoTime() - start);
        }
        assertThat(this.failures).hasValueGreaterThan(2000);
        assertThat(longest).isLessThan(TIMEOUT.toNanos() + TimeUnit.SECONDS.toNanos(1));

        startServer();
        Awaitility.await().atMost(20, TimeUnit.SECONDS).until(() -> answers(store, rule));
        assertThat(store.take(rule, client(7))).isZero();
        assertThat(answers(store, rule)).isTrue();
    }

    @Test
    void startsWithoutRedisAndConnectsOnceItIsThere() throws IOException {
        this.server.stop();
        LimitRule rule = Rules.forAll(1, 1);
        SharedLimitStore store = store(rule, MonotonicClock.SYSTEM);
        assertThat(store.take(rule, client(1))).isZero();
        assertThat(store.take(rule, client(1))).isZero();
        assertThat(this.failures).hasValue(2);

        startServer();
        Awaitility.await().atMost(20, TimeUnit.SECONDS).until(() -> answers(store, rule));
        store.take(rule, client(2));
        assertThat(store.take(rule, client(2))).isGreaterThan(0);
    }

    @Test
    void waitsNoLongerThanItsTimeoutForARedisThatIsSilent() throws IOException {
        this.server.stop();
        try (ServerSocket silent = new ServerSocket(this.port, 1, InetAddress.getLoopbackAddress())) {
            LimitRule rule = Rules.forAll(1, 1);
            SharedLimitStore store = store(rule, MonotonicClock.SYSTEM);
            long start = System.nanoTime();
            for (int i = 0; i < 100; i++) {
                assertThat(store.take(rule, client(i))).isZero();
            }
            // The first waits, and the others do not.
            assertThat(System.nanoTime() - start).isLessThan(TIMEOUT.toNanos() + TimeUnit.SECONDS.toNanos(1));
            assertThat(silent.isBound()).isTrue();
        }
        startServer();
    }

    @Test
    void leavesNothingOfIdleClientsInRedisAndNothingButDigitsOfOthers() {
        LimitRule rule = Rules.forAll(10, 1);
        SharedLimitStore store = store(rule, MonotonicClock.SYSTEM);
        Awaitility.await().atMost(10, TimeUnit.SECONDS).until(() -> answers(store, rule));
        store.take(rule, client(1));
        RedisClient client = client();
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            List<String> keys = connection.sync().keys("*");

            assertThat(keys).hasSize(2).allMatch(key -> key.matches("test:" + rule.fingerprint() + ":[0-9a-f]{32}"));
            assertThat(keys)
                    .allSatisfy(key ->
                            assertThat(connection.sync().pttl(key)).isBetween(1L, TimeUnit.SECONDS.toMillis(11)));
        }
    }

    @Test
    void opensNothingWhileTheApplicationIsBeingClosed() {
        LimitRule rule = Rules.forAll(1, 1);
        AtomicLong asked = new AtomicLong();
        RedisClient client = client();
        SharedLimitStore store = RedisLimitStores.of(
                () -> {
                    asked.incrementAndGet();
                    return client;
                },
                List.of(rule),
                "test:",
                TIMEOUT,
                1000,
                this.listener,
                MonotonicClock.SYSTEM);
        store.close();

        assertThat(store.take(rule, client(1))).isZero();
        assertThat(asked).hasValue(0);
    }

    /** Without one atomic step both of the first two requests would open a connection. */
    @Test
    void opensOneConnectionForTwoFirstRequests() throws InterruptedException {
        LimitRule rule = Rules.forAll(1, 1);
        CountDownLatch over = new CountDownLatch(1);
        AtomicInteger opened = new AtomicInteger();
        Supplier<AbstractRedisClient> opening = () -> {
            opened.incrementAndGet();
            try {
                over.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException ex) {
                throw new IllegalStateException(ex);
            }
            throw new IllegalStateException("It is over");
        };
        RedisBuckets[] buckets = new RedisBuckets[300];
        Arrays.setAll(buckets, i -> new RedisBuckets(opening, List.of(rule), "test:", TIMEOUT, MonotonicClock.SYSTEM));
        IntConsumer take = i ->
                assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> buckets[i].take(rule, client(1), 1));

        Lockstep.run(buckets.length, take, take);

        Awaitility.await().atMost(10, TimeUnit.SECONDS).until(() -> opened.get() >= buckets.length);
        over.countDown();
        assertThat(opened).hasValue(buckets.length);
    }

    @Test
    void closesWhatIsOpenedWhileTheApplicationIsBeingClosed() throws InterruptedException {
        LimitRule rule = Rules.forAll(1, 1);
        RedisClient client = client();
        CountDownLatch opening = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        RedisBuckets buckets = new RedisBuckets(
                () -> {
                    opening.countDown();
                    try {
                        closed.await(10, TimeUnit.SECONDS);
                    } catch (InterruptedException ex) {
                        throw new IllegalStateException(ex);
                    }
                    return client;
                },
                List.of(rule),
                "test:",
                TIMEOUT,
                MonotonicClock.SYSTEM);
        try (StatefulRedisConnection<String, String> watching = client().connect()) {
            assertThatExceptionOfType(TimeoutException.class)
                    .isThrownBy(() -> buckets.take(rule, client(1), 1_000_000));
            assertThat(opening.await(10, TimeUnit.SECONDS)).isTrue();
            buckets.close();
            closed.countDown();

            // It is opened, and then closed.
            Awaitility.await()
                    .atMost(10, TimeUnit.SECONDS)
                    .until(() -> watching.sync().info("stats").contains("total_connections_received:2"));
            Awaitility.await()
                    .atMost(10, TimeUnit.SECONDS)
                    .until(() -> watching.sync().clientList().lines().count() == 1);
        }
    }
}
