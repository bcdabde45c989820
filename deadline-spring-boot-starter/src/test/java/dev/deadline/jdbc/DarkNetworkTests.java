package dev.deadline.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.deadline.DeadlineExceededException;
import dev.deadline.engine.Scope;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Databases that nothing arrives at any more, and nothing comes from. */
@Timeout(90)
class DarkNetworkTests {

    private static final int REQUESTS = 20;

    // PostgreSQL's driver waits 10 s for a cancel to arrive.
    private static final Duration LATEST = Duration.ofSeconds(4);

    private final JdbcRequests requests = new JdbcRequests();

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        this.threads.shutdownNow();
        this.requests.close();
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.offered().stream().filter(database -> database != TestDatabase.H2);
    }

    /** C17: cancels that hang hold up neither the requests they are for nor others, and the pool recovers. */
    @ParameterizedTest
    @MethodSource("databases")
    void freesRequestsAndDelaysNobodyElse(TestDatabase database) throws Exception {
        try (FreezableNetwork network = new FreezableNetwork("127.0.0.1", database.port());
                HikariDataSource pool = JdbcRequests.pool(database.urlAt(network.port()), REQUESTS)) {
            HikariDataSource dataSource = this.requests.decorated(pool);
            await().until(() -> pool.getHikariPoolMXBean().getTotalConnections() == REQUESTS);
            CountDownLatch borrowed = new CountDownLatch(REQUESTS);
            CountDownLatch dark = new CountDownLatch(1);
            List<CompletableFuture<Long>> ends = Stream.generate(() -> supply(() -> {
                        long[] start = new long[1];
                        assertThatExceptionOfType(DeadlineExceededException.class)
                                .isThrownBy(() -> this.requests.request(Duration.ofSeconds(2), scope -> {
                                    try (Connection connection = dataSource.getConnection()) {
                                        borrowed.countDown();
                                        dark.await();
                                        start[0] = System.nanoTime()
                                                + scope.remaining().toNanos();
                                        return JdbcRequests.number(connection, "select 1");
                                    }
                                }));
                        return System.nanoTime() - start[0];
                    }))
                    .limit(REQUESTS)
                    .toList();
            assertThat(borrowed.await(20, TimeUnit.SECONDS)).isTrue();
            network.freeze();
            dark.countDown();

            Scope other = this.requests.engine.request(Duration.ofSeconds(2));
            CompletableFuture<Long> cut = new CompletableFuture<>();
            long end = System.nanoTime() + other.remaining().toNanos();
            other.onCancel(reason -> cut.complete(System.nanoTime() - end));
            assertThat(cut.get(20, TimeUnit.SECONDS))
                    .isLessThan(Duration.ofSeconds(1).toNanos());
            other.complete();

            for (CompletableFuture<Long> overshoot : ends) {
                assertThat(Duration.ofNanos(overshoot.get(30, TimeUnit.SECONDS)))
                        .isLessThan(LATEST);
            }
            cancelsOnHealthyDatabase(database);
            network.thaw();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
            assertThat(JdbcRequests.number(dataSource, "select 2")).isEqualTo(2);
        }
    }

    // While the cancels of the other requests still hang, each for ten seconds or more.
    private void cancelsOnHealthyDatabase(TestDatabase database) throws Exception {
        try (HikariDataSource pool = JdbcRequests.pool(database.url(), 1)) {
            HikariDataSource dataSource = this.requests.decorated(pool);
            int before = JdbcRequests.number(dataSource, database.session());

            assertThatExceptionOfType(DeadlineExceededException.class)
                    .isThrownBy(() -> this.requests.request(
                            Duration.ofMillis(500),
                            scope -> JdbcRequests.number(dataSource, database.sleep(Duration.ofSeconds(20)))));

            assertThat(JdbcRequests.number(dataSource, database.session())).isEqualTo(before);
        }
    }

    private <T> CompletableFuture<T> supply(Callable<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        this.threads.execute(() -> {
            try {
                result.complete(task.call());
            } catch (Throwable ex) {
                result.completeExceptionally(ex);
            }
        });
        return result;
    }
}
