package dev.deadline.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import dev.deadline.DeadlineExceededException;
import dev.deadline.Reason;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * C16: the time of a call is up when it has been taken for inside, and has yet to look at the clock. It is refused,
 * and a cancel that is meant for it must not hit anybody else.
 */
@Timeout(60)
class RefusedCallTests {

    private static final String SESSION = TestDatabase.H2.session();

    // What a thread does when it looks at the clock next, and what it sees there.
    private final ThreadLocal<LongSupplier> nextLook = new ThreadLocal<>();

    private final JdbcRequests requests = new JdbcRequests(this::nanoTime);

    private final CountDownLatch cancelling = new CountDownLatch(1);

    private final CountDownLatch arrived = new CountDownLatch(1);

    private HikariDataSource pool;

    private HikariDataSource dataSource;

    @BeforeEach
    void open() {
        this.pool = new HikariDataSource();
        this.pool.setMaximumPoolSize(1);
        this.pool.setDataSource(new DriverManagerDataSource("jdbc:h2:mem:refused;DB_CLOSE_DELAY=-1") {
            @Override
            public Connection getConnection() throws SQLException {
                return Replaced.method(Connection.class, super.getConnection(), "createStatement", connection -> {
                    Statement statement = connection.createStatement();
                    return Replaced.method(Statement.class, statement, "cancel", RefusedCallTests.this::cancel);
                });
            }
        });
        this.dataSource = this.requests.decorated(this.pool);
    }

    @AfterEach
    void close() {
        this.arrived.countDown();
        this.pool.close();
        this.requests.close();
    }

    private long nanoTime() {
        LongSupplier look = this.nextLook.get();
        this.nextLook.remove();
        return (look != null) ? look.getAsLong() : System.nanoTime();
    }

    // On a network that is slow.
    private Object cancel(Statement statement) throws SQLException {
        this.cancelling.countDown();
        awaitNow(this.arrived);
        statement.cancel();
        return null;
    }

    private static void awaitNow(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException ex) {
            throw new IllegalStateException(ex);
        }
    }

    @Test
    void givesConnectionUpThatIsBeingCancelled() throws Exception {
        int before = JdbcRequests.number(this.dataSource, SESSION);

        refuse();

        assertThat(JdbcRequests.number(this.dataSource, SESSION)).isNotEqualTo(before);
    }

    @Test
    void givesConnectionUpThatHasBeenCancelled() throws Exception {
        this.arrived.countDown();
        int before = JdbcRequests.number(this.dataSource, SESSION);

        refuse();

        assertThat(JdbcRequests.number(this.dataSource, SESSION)).isNotEqualTo(before);
    }

    /** Only what was tried for the call itself counts, or every connection would be given up. */
    @Test
    void keepsConnectionWhoseStatementWasCancelledBefore() throws Exception {
        this.arrived.countDown();
        int before = JdbcRequests.number(this.dataSource, SESSION);

        this.requests.request(Duration.ofMillis(200), scope -> {
            try (Connection connection = this.dataSource.getConnection();
                    Statement statement = connection.createStatement()) {
                assertThatExceptionOfType(DeadlineExceededException.class)
                        .isThrownBy(() -> statement.executeQuery(TestDatabase.H2.sleep(Duration.ofSeconds(20))));
                assertThatExceptionOfType(DeadlineExceededException.class)
                        .isThrownBy(() -> statement.executeQuery(SESSION));
            }
            return null;
        });

        assertThat(JdbcRequests.number(this.dataSource, SESSION)).isEqualTo(before);
    }

    @Test
    void losesNoConnectionThatFindsNoTimeToBeGivenBack() throws Exception {
        this.requests.request(Duration.ofSeconds(30), scope -> {
            Connection connection = this.dataSource.getConnection();
            scope.cancel(Reason.BUDGET_EXHAUSTED);
            // The first look is for the beginning of the time that it has.
            this.nextLook.set(() -> {
                this.nextLook.set(RefusedCallTests::muchLater);
                return System.nanoTime();
            });
            connection.close();
            assertThat(this.nextLook.get()).isNull();
            return null;
        });

        assertThat(this.pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }

    private static long muchLater() {
        return System.nanoTime() + Duration.ofSeconds(30).toNanos();
    }

    private void refuse() throws Exception {
        this.requests.request(Duration.ofSeconds(30), scope -> {
            try (Connection connection = this.dataSource.getConnection();
                    Statement statement = connection.createStatement()) {
                this.nextLook.set(() -> {
                    scope.cancel(Reason.BUDGET_EXHAUSTED);
                    awaitNow(this.cancelling);
                    return muchLater();
                });
                assertThatExceptionOfType(DeadlineExceededException.class)
                        .isThrownBy(() -> statement.executeQuery(SESSION));
            }
            return null;
        });
    }
}
