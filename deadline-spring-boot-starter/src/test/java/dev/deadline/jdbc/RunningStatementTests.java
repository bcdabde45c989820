package dev.deadline.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.deadline.DeadlineExceededException;
import dev.deadline.Reason;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Statements that are running when their time ends, and what may follow. */
@Timeout(60)
class RunningStatementTests {

    private static final Duration BUDGET = Duration.ofMillis(250);

    // On a machine that does much else.
    private static final Duration LATEST = Duration.ofMillis(1500);

    private final JdbcRequests requests = new JdbcRequests();

    static List<TestDatabase> databases() {
        return TestDatabase.offered();
    }

    @AfterEach
    void close() {
        this.requests.close();
    }

    /** C15: what is left of a second is neither no time nor time without end. */
    @ParameterizedTest
    @MethodSource("databases")
    void cancelsQueryWhenTimeIsUp(TestDatabase database) throws Exception {
        try (HikariDataSource pool = JdbcRequests.pool(database.url(), 1)) {
            HikariDataSource dataSource = this.requests.decorated(pool);
            int before = JdbcRequests.number(dataSource, "select 1");
            long start = System.nanoTime();

            assertThatExceptionOfType(DeadlineExceededException.class)
                    .isThrownBy(() -> this.requests.request(
                            Duration.ofMillis(700),
                            scope -> JdbcRequests.number(dataSource, database.sleep(Duration.ofSeconds(5)))))
                    .satisfies(ex -> assertThat(ex.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED))
                    .havingCause()
                    .isInstanceOf(SQLException.class);

            assertThat(System.nanoTime() - start)
                    .isBetween(
                            Duration.ofMillis(699).toNanos(),
                            LATEST.plusMillis(500).toNanos());
            assertThat(JdbcRequests.number(dataSource, "select 2")).isEqualTo(before + 1);
            await().until(() -> database.running() == 0);
            await().until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
        }
    }

    /** C18: rows that keep coming do not go on past the deadline. */
    @ParameterizedTest
    @MethodSource("databases")
    void stopsIteratingOverRows(TestDatabase database) throws Exception {
        try (HikariDataSource pool = JdbcRequests.pool(database.url(), 1)) {
            HikariDataSource dataSource = this.requests.decorated(pool);
            long start = System.nanoTime();
            int[] rows = new int[1];

            assertThatExceptionOfType(DeadlineExceededException.class)
                    .isThrownBy(() -> this.requests.request(BUDGET, scope -> {
                        try (Connection connection = dataSource.getConnection()) {
                            connection.setAutoCommit(false);
                            try (Statement statement = connection.createStatement()) {
                                statement.setFetchSize(10);
                                try (ResultSet results = statement.executeQuery(database.drip())) {
                                    while (results.next()) {
                                        rows[0]++;
                                    }
                                }
                            }
                        }
                        return null;
                    }))
                    .satisfies(ex -> assertThat(ex.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED));

            assertThat(System.nanoTime() - start).isLessThan(LATEST.toNanos());
            assertThat(JdbcRequests.number(dataSource, "select 2")).isEqualTo(2);
            await().until(() -> database.running() == 0);
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void refusesWhatWouldBeginAfterTheDeadline(TestDatabase database) throws Exception {
        try (HikariDataSource pool = JdbcRequests.pool(database.url(), 1)) {
            HikariDataSource dataSource = this.requests.decorated(pool);

            this.requests.request(BUDGET, scope -> {
                Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                scope.cancel(Reason.BUDGET_EXHAUSTED);

                assertThatExceptionOfType(DeadlineExceededException.class)
                        .isThrownBy(() -> statement.executeQuery("select 1"));
                assertThatExceptionOfType(DeadlineExceededException.class)
                        .isThrownBy(() -> connection.prepareStatement("select 1"));
                assertThatExceptionOfType(DeadlineExceededException.class).isThrownBy(dataSource::getConnection);
                statement.close();
                connection.close();
                return null;
            });

            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            assertThat(pool.getHikariPoolMXBean().getTotalConnections()).isEqualTo(1);
        }
    }

    /** C24: neither of two updates is visible when the deadline passes between them. */
    @ParameterizedTest
    @MethodSource("databases")
    void rollsBackWhatHasNotBeenCommitted(TestDatabase database) throws Exception {
        try (HikariDataSource pool = JdbcRequests.pool(database.url(), 1)) {
            HikariDataSource dataSource = this.requests.decorated(pool);
            prepareTable(database);

            this.requests.request(BUDGET, scope -> {
                try (Connection connection = dataSource.getConnection()) {
                    connection.setAutoCommit(false);
                    try (Statement statement = connection.createStatement()) {
                        statement.executeUpdate("insert into written values (1)");
                        scope.cancel(Reason.BUDGET_EXHAUSTED);
                        assertThatExceptionOfType(DeadlineExceededException.class)
                                .isThrownBy(() -> statement.executeUpdate("insert into written values (2)"));
                    }
                    assertThatExceptionOfType(DeadlineExceededException.class).isThrownBy(connection::commit);
                    assertThatExceptionOfType(DeadlineExceededException.class)
                            .isThrownBy(() -> connection.setAutoCommit(true));
                }
                return null;
            });

            assertThat(JdbcRequests.number(dataSource, "select count(*) from written"))
                    .isZero();
            assertThat(pool.getHikariPoolMXBean().getTotalConnections()).isEqualTo(1);
        }
    }

    /** PostgreSQL describes a statement by asking its server, which waits where the statement would. */
    @Test
    void cancelsQuestionsAboutStatement() throws Exception {
        TestDatabase database = TestDatabase.POSTGRESQL;
        prepareTable(database);
        try (HikariDataSource pool = JdbcRequests.pool(database.url(), 1);
                Connection other = database.connect();
                Statement lock = other.createStatement()) {
            HikariDataSource dataSource = this.requests.decorated(pool);
            other.setAutoCommit(false);
            lock.execute("lock table written in access exclusive mode");

            for (Question question :
                    List.<Question>of(PreparedStatement::getParameterMetaData, PreparedStatement::getMetaData)) {
                assertThatExceptionOfType(DeadlineExceededException.class)
                        .isThrownBy(() -> this.requests.request(BUDGET, scope -> {
                            try (Connection connection = dataSource.getConnection();
                                    PreparedStatement statement =
                                            connection.prepareStatement("select id from written where id = ?")) {
                                return question.of(statement);
                            }
                        }));
            }
        }
    }

    private interface Question {

        Object of(PreparedStatement statement) throws SQLException;
    }

    private static void prepareTable(TestDatabase database) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("drop table if exists written");
            statement.execute("create table written (id int)");
        }
    }
}
