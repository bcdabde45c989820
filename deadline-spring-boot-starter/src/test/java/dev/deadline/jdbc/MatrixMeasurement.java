package dev.deadline.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.deadline.DeadlineExceededException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** One request that a database keeps waiting, on a thread of one kind. */
final class MatrixMeasurement {

    static final Duration BUDGET = Duration.ofMillis(300);

    private static final int TRIES = 3;

    private final JdbcRequests requests;

    private final TestDatabase database;

    private final MatrixSituation situation;

    private final Executor threads;

    MatrixMeasurement(JdbcRequests requests, TestDatabase database, MatrixSituation situation, boolean virtual) {
        this.requests = requests;
        this.database = database;
        this.situation = situation;
        this.threads = virtual ? virtualThreads() : task -> new Thread(task, "request").start();
    }

    // Java 17 does not know them.
    private static Executor virtualThreads() {
        try {
            return (Executor)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException ex) {
            throw new IllegalStateException(ex);
        }
    }

    /** Measures until the limits are kept, three times at most; hiccups of the machine are taken off. */
    MatrixCell measure() throws Exception {
        MatrixCell cell = null;
        for (int i = 0; i < TRIES; i++) {
            try (Canary canary = new Canary()) {
                cell = once().without(canary.longestMillis());
            }
            if (cell.verdict(this.situation.callerLimit(this.database)).matches("released, statement (gone|none)")) {
                break;
            }
        }
        return cell;
    }

    private MatrixCell once() throws Exception {
        prepareTable();
        boolean dark = this.situation == MatrixSituation.DARK;
        try (FreezableNetwork network = dark ? new FreezableNetwork("127.0.0.1", this.database.port()) : null;
                HikariDataSource pool =
                        JdbcRequests.pool(dark ? this.database.urlAt(network.port()) : this.database.url(), 1)) {
            HikariDataSource dataSource = this.requests.decorated(pool);
            JdbcRequests.number(dataSource, "select 1");
            Connection obstacle = obstacle(dataSource);
            CompletableFuture<long[]> times = new CompletableFuture<>();
            this.threads.execute(() -> {
                try {
                    times.complete(request(dataSource));
                } catch (Throwable ex) {
                    times.completeExceptionally(ex);
                }
            });
            if (dark) {
                await().pollInterval(Duration.ofMillis(5)).until(() -> this.database.running() > 0);
                network.freeze();
            }
            MatrixCell cell = ended(times);
            if (obstacle != null) {
                obstacle.close();
            }
            if (dark) {
                network.thaw();
            }
            assertThatPoolIsFine(pool, dataSource);
            return cell;
        }
    }

    private MatrixCell ended(CompletableFuture<long[]> times) throws Exception {
        long[] request = times.get(30, TimeUnit.SECONDS);
        long caller = TimeUnit.NANOSECONDS.toMillis(request[1] - request[0]);
        if (this.situation == MatrixSituation.POOL || this.situation == MatrixSituation.DARK) {
            return new MatrixCell(caller, MatrixCell.NONE);
        }
        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5)).until(() -> this.database.running() == 0);
        return new MatrixCell(caller, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - request[0]));
    }

    // When its deadline was, and when it was over.
    private long[] request(HikariDataSource dataSource) {
        long[] times = new long[2];
        assertThatExceptionOfType(DeadlineExceededException.class).isThrownBy(() -> {
            try {
                this.requests.request(BUDGET, scope -> {
                    times[0] = System.nanoTime() + scope.remaining().toNanos();
                    try (Connection connection = dataSource.getConnection()) {
                        work(connection);
                    }
                    return null;
                });
            } finally {
                times[1] = System.nanoTime();
            }
        });
        return times;
    }

    private void work(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            switch (this.situation) {
                case QUERY, DARK, POOL ->
                    statement
                            .executeQuery(this.database.sleep(Duration.ofSeconds(5)))
                            .next();
                case LOCK -> statement.executeUpdate("update /* slow */ locked set id = id + 1");
                case ROWS -> {
                    statement.setFetchSize(10);
                    try (ResultSet rows = statement.executeQuery(this.database.drip())) {
                        while (rows.next()) {
                            rows.getLong(1);
                        }
                    }
                }
            }
        }
    }

    // Somebody else, who has what the request waits for.
    private Connection obstacle(HikariDataSource dataSource) throws SQLException {
        if (this.situation == MatrixSituation.POOL) {
            return dataSource.getConnection();
        }
        if (this.situation != MatrixSituation.LOCK) {
            return null;
        }
        Connection holder = this.database.connect();
        holder.setAutoCommit(false);
        try (Statement statement = holder.createStatement()) {
            statement.executeUpdate("update locked set id = 7");
        }
        return holder;
    }

    private void prepareTable() throws SQLException {
        try (Connection connection = this.database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("drop table if exists locked");
            statement.execute("create table locked (id int)");
            statement.execute("insert into locked values (1)");
        }
    }

    private static void assertThatPoolIsFine(HikariDataSource pool, HikariDataSource dataSource) throws SQLException {
        assertThat(JdbcRequests.number(dataSource, "select 2")).isEqualTo(2);
        await().until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
        assertThat(pool.getHikariPoolMXBean().getTotalConnections()).isLessThanOrEqualTo(1);
    }
}
