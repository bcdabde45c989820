package dev.deadline.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.deadline.DeadlineExceededException;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Section;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.dbcp2.BasicDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.DirectFieldAccessor;

/** The wait for a connection. */
@Timeout(60)
class PoolWaitTests {

    private static final String H2 = "jdbc:h2:mem:pool;DB_CLOSE_DELAY=-1";

    private final JdbcRequests requests = new JdbcRequests();

    @AfterEach
    void close() {
        this.requests.close();
    }

    /** C20: a request with 120 ms left gives up then; nobody else's wait changes. */
    @Test
    void waitsForConnectionNoLongerThanTheDeadline() throws Exception {
        try (HikariDataSource pool = JdbcRequests.pool(H2, 1)) {
            HikariDataSource dataSource = this.requests.decorated(pool);
            try (Connection taken = dataSource.getConnection()) {
                long start = System.nanoTime();

                assertThatExceptionOfType(DeadlineExceededException.class)
                        .isThrownBy(() ->
                                this.requests.request(Duration.ofMillis(120), scope -> dataSource.getConnection()));

                assertThat(Duration.ofNanos(System.nanoTime() - start))
                        .isBetween(Duration.ofMillis(119), Duration.ofMillis(1120));
                assertThat(dataSource.getConnectionTimeout()).isEqualTo(10_000);
                assertThat(taken.isValid(1)).isTrue();
            }
            assertThat(JdbcRequests.number(dataSource, "select 1")).isEqualTo(1);
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }

    @Test
    void keepsShorterLimitOfPool() throws Exception {
        try (HikariDataSource pool = JdbcRequests.pool(H2, 1)) {
            pool.setConnectionTimeout(250);
            HikariDataSource dataSource = this.requests.decorated(pool);
            try (Connection taken = dataSource.getConnection()) {
                assertThatExceptionOfType(SQLTransientConnectionException.class)
                        .isThrownBy(() ->
                                this.requests.request(Duration.ofSeconds(20), scope -> dataSource.getConnection()));
                assertThat(taken.isClosed()).isFalse();
            }
        }
    }

    /** A pool of the application's own that prepares what it hands out, for a tenant for example. */
    @Test
    void asksSubclassForItsOwnConnection() throws Exception {
        try (HikariDataSource pool = new HikariDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = super.getConnection();
                try (Statement statement = connection.createStatement()) {
                    statement.execute("set @tenant = 7");
                }
                return connection;
            }
        }) {
            pool.setJdbcUrl(H2);
            pool.setMaximumPoolSize(1);
            pool.setConnectionTimeout(300);
            HikariDataSource dataSource = this.requests.decorated(pool);

            for (int round = 0; round < 2; round++) {
                int tenant = this.requests.request(
                        Duration.ofSeconds(30), scope -> JdbcRequests.number(dataSource, "select @tenant"));
                assertThat(tenant).isEqualTo(7);
                JdbcRequests.number(dataSource, "select @tenant := 0");
            }
            assertThat(new DirectFieldAccessor(dataSource).getPropertyValue("pool"))
                    .isSameAs(new DirectFieldAccessor(pool).getPropertyValue("pool"))
                    .isNotNull();
            try (Connection taken = dataSource.getConnection()) {
                assertThatExceptionOfType(DeadlineExceededException.class)
                        .isThrownBy(
                                () -> this.requests.request(Duration.ofMillis(1), scope -> dataSource.getConnection()));
                assertThat(taken.isClosed()).isFalse();
            }
        }
    }

    @Test
    void requestThatFindsNoPoolYetDoesNotWaitForItBeyondItsDeadline() throws Exception {
        HikariDataSource pool = new HikariDataSource();
        CountDownLatch proceed = new CountDownLatch(1);
        BasicDataSource slow = new BasicDataSource() {
            @Override
            public int getLoginTimeout() {
                return 0;
            }

            @Override
            public void setLoginTimeout(int seconds) {}

            @Override
            public Connection getConnection() throws SQLException {
                try {
                    proceed.await();
                } catch (InterruptedException ex) {
                    throw new IllegalStateException(ex);
                }
                return super.getConnection();
            }
        };
        slow.setUrl(H2);
        pool.setDataSource(slow);
        try (pool;
                slow) {
            HikariDataSource dataSource = this.requests.decorated(pool);

            assertThatExceptionOfType(DeadlineExceededException.class)
                    .isThrownBy(
                            () -> this.requests.request(Duration.ofMillis(100), scope -> dataSource.getConnection()));
            proceed.countDown();

            int answer =
                    this.requests.request(Duration.ofSeconds(20), scope -> JdbcRequests.number(dataSource, "select 1"));
            assertThat(answer).isEqualTo(1);
            assertThat(new DirectFieldAccessor(dataSource).getPropertyValue("pool"))
                    .isSameAs(new DirectFieldAccessor(pool).getPropertyValue("pool"));
        }
    }

    /** C21: no connection is lost or thrown away, however close the end of the wait is to the arrival of one. */
    @Test
    void losesNoConnectionWhenTheWaitEndsAsOneArrives() throws Exception {
        int size = 2;
        try (HikariDataSource pool = JdbcRequests.pool(H2, size)) {
            HikariDataSource dataSource = this.requests.decorated(pool);
            List<Connection> all = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                all.add(dataSource.getConnection());
            }
            for (Connection connection : all) {
                connection.close();
            }
            AtomicInteger refused = new AtomicInteger();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Thread thread = new Thread(() -> {
                    for (int round = 0; round < 125; round++) {
                        Duration budget = Duration.ofNanos(200_000 + round * 7_919L % 1_500_000);
                        try {
                            // Interrupted wherever that is not held back.
                            this.requests.request(budget, scope -> {
                                try (Section open = DeadlineEngine.interruptible();
                                        Connection connection = dataSource.getConnection()) {
                                    return JdbcRequests.number(connection, "select 1 from system_range(1, 2000)");
                                }
                            });
                        } catch (DeadlineExceededException ex) {
                            refused.incrementAndGet();
                        } catch (Exception ex) {
                            throw new IllegalStateException(ex);
                        }
                    }
                });
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }

            assertThat(refused).hasPositiveValue();
            await().until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
            await().until(() -> pool.getHikariPoolMXBean().getTotalConnections() == size);
        }
    }

    /** C22: a database in a file goes on working for everybody when a request that reads is stopped. */
    @Test
    void leavesFileDatabaseOpen(@TempDir Path directory) throws Exception {
        try (HikariDataSource pool =
                JdbcRequests.pool("jdbc:h2:file:" + directory.resolve("db") + ";CACHE_SIZE=0", 2)) {
            HikariDataSource dataSource = this.requests.decorated(pool);
            try (Connection connection = dataSource.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("create table many as select x, repeat('x', 200) s from system_range(1, 20000)");
            }
            for (int round = 0; round < 10; round++) {
                assertThatExceptionOfType(DeadlineExceededException.class)
                        .isThrownBy(() -> this.requests.request(Duration.ofMillis(20), scope -> {
                            try (Section open = DeadlineEngine.interruptible()) {
                                return JdbcRequests.number(
                                        dataSource, "select count(*) from many a, many b where a.s < b.s");
                            }
                        }));
                assertThat(JdbcRequests.number(dataSource, "select count(*) from many"))
                        .isEqualTo(20000);
            }
        }
    }
}
