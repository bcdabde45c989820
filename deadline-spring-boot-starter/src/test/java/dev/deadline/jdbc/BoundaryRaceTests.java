package dev.deadline.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.deadline.DeadlineExceededException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.PGConnection;

/**
 * C16: statements that end just when their deadline does, with the connection used by somebody else at once. As many
 * rounds as fit into a second, or {@code deadline.test.races}.
 */
@Timeout(600)
class BoundaryRaceTests {

    private static final Integer ROUNDS = Integer.getInteger("deadline.test.races");

    private static final Duration TIME = Duration.ofSeconds(1);

    private final JdbcRequests requests = new JdbcRequests();

    private final SplittableRandom random = new SplittableRandom(16);

    /** Runs a statement that is stopped about when it ends. */
    @FunctionalInterface
    private interface Stopped {

        void run(String statement, long nanos) throws Exception;
    }

    static List<TestDatabase> databases() {
        return TestDatabase.offered();
    }

    @AfterEach
    void close() {
        this.requests.close();
    }

    @ParameterizedTest
    @MethodSource("databases")
    void neverCancelsForeignStatement(TestDatabase database) throws Exception {
        try (HikariDataSource pool = JdbcRequests.pool(database.url(), 1)) {
            HikariDataSource dataSource = this.requests.decorated(pool);
            int[] cut = new int[1];

            int[] result = race(database, dataSource, (statement, nanos) -> {
                try {
                    this.requests.request(Duration.ofNanos(nanos), scope -> JdbcRequests.number(dataSource, statement));
                } catch (DeadlineExceededException ex) {
                    cut[0]++;
                }
            });

            if (ROUNDS != null) {
                System.out.println(database + ": " + result[0] + " races, " + cut[0] + " stopped");
            }
            assertThat(result[1]).as("foreign statements cancelled").isZero();
            assertThat(cut[0]).isPositive();
            await().until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
            assertThat(pool.getHikariPoolMXBean().getTotalConnections()).isLessThanOrEqualTo(1);
        }
    }

    /** The control: the same without a guard. */
    @Test
    void harnessFindsVictimsOfNaiveCancel() throws Exception {
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
        try (HikariDataSource pool = JdbcRequests.pool(Postgres.url(), 1)) {
            int[] result = race(TestDatabase.POSTGRESQL, pool, (statement, nanos) -> {
                try (Connection connection = pool.getConnection()) {
                    PGConnection driver = connection.unwrap(PGConnection.class);
                    timer.schedule(
                            () -> {
                                driver.cancelQuery();
                                return null;
                            },
                            nanos,
                            TimeUnit.NANOSECONDS);
                    JdbcRequests.number(connection, statement);
                } catch (SQLException ex) {
                    assertThat(DatabaseKind.POSTGRESQL.isCancelled(ex)).isTrue();
                }
            });

            assertThat(result[1]).as("foreign statements cancelled").isPositive();
        } finally {
            timer.shutdownNow();
        }
    }

    // How many rounds there were, and how many statements of others were cancelled.
    private int[] race(TestDatabase database, DataSource dataSource, Stopped stopped) throws Exception {
        String racing = database.sleep(Duration.ofMillis(2));
        String victim = database.sleep(Duration.ofMillis(1));
        long end = System.nanoTime() + TIME.toNanos();
        int rounds = 0;
        int victims = 0;
        while ((ROUNDS != null) ? rounds < ROUNDS : System.nanoTime() - end < 0) {
            rounds++;
            stopped.run(racing, this.random.nextLong(1_000_000, 5_000_000));
            try {
                JdbcRequests.number(dataSource, victim);
            } catch (SQLException ex) {
                victims++;
            }
        }
        return new int[] {rounds, victims};
    }
}
