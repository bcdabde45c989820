package dev.deadline.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.deadline.DeadlineExceededException;
import dev.deadline.Reason;
import dev.deadline.engine.Scope;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.apache.commons.dbcp2.BasicDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In what state a connection is when it is given back after the deadline. */
@Timeout(60)
class ConnectionStateTests {

    private final JdbcRequests requests = new JdbcRequests();

    private final BasicDataSource dbcp = new BasicDataSource();

    @AfterEach
    void close() throws SQLException {
        this.dbcp.close();
        this.requests.close();
    }

    @Test
    void givesConnectionUpThatCannotRollBack() throws Exception {
        this.dbcp.setUrl(TestDatabase.POSTGRESQL.url());
        this.dbcp.setMaxTotal(1);
        BasicDataSource dataSource = this.requests.decorated(this.dbcp);

        this.requests.request(Duration.ofSeconds(30), scope -> {
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                int backend = JdbcRequests.number(connection, "select pg_backend_pid()");
                scope.cancel(Reason.BUDGET_EXHAUSTED);
                try (Connection other = TestDatabase.POSTGRESQL.connect()) {
                    JdbcRequests.number(other, "select pg_terminate_backend(" + backend + ", 5000)::int");
                }
            }
            return null;
        });

        await().until(() -> this.dbcp.getNumActive() == 0);
        assertThat(JdbcRequests.number(dataSource, "select 1")).isEqualTo(1);
    }

    @Test
    void givesConnectionBackInItsAutoCommitMode() throws Exception {
        org.apache.tomcat.jdbc.pool.DataSource pool = new org.apache.tomcat.jdbc.pool.DataSource();
        pool.setUrl(TestDatabase.H2.url());
        pool.setDriverClassName("org.h2.Driver");
        pool.setInitialSize(0);
        pool.setMaxActive(1);
        try {
            org.apache.tomcat.jdbc.pool.DataSource dataSource = this.requests.decorated(pool);

            this.requests.request(Duration.ofSeconds(30), scope -> {
                try (Connection connection = dataSource.getConnection()) {
                    connection.setAutoCommit(false);
                    JdbcRequests.number(connection, "select 1");
                    scope.cancel(Reason.BUDGET_EXHAUSTED);
                    assertThatExceptionOfType(DeadlineExceededException.class)
                            .isThrownBy(() -> connection.setAutoCommit(true));
                }
                return null;
            });

            try (Connection next = dataSource.getConnection()) {
                assertThat(next.getAutoCommit()).isTrue();
            }
        } finally {
            pool.close(true);
        }
    }

    @Test
    void doesNotGiveBackWhatAStreamStoppedInTheMiddleOfAStatement() throws Exception {
        this.dbcp.setUrl(TestDatabase.POSTGRESQL.url());
        this.dbcp.setMaxTotal(1);
        BasicDataSource dataSource = this.requests.decorated(this.dbcp);
        try (Connection connection = TestDatabase.POSTGRESQL.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("drop table if exists upload");
            statement.execute("create table upload (content bytea)");
        }

        Scope another = this.requests.engine.request(Duration.ofMillis(1));
        assertThatExceptionOfType(DeadlineExceededException.class)
                .isThrownBy(() -> this.requests.request(Duration.ofSeconds(30), scope -> {
                    try (Connection connection = dataSource.getConnection();
                            PreparedStatement insert = connection.prepareStatement("insert into upload values (?)")) {
                        insert.setBinaryStream(
                                1,
                                new InputStream() {
                                    private int count;

                                    @Override
                                    public int read() {
                                        if (++this.count > 100_000) {
                                            throw another.exceeded(null);
                                        }
                                        return 1;
                                    }
                                },
                                200_000);
                        insert.executeUpdate();
                    }
                    return null;
                }));

        assertThat(JdbcRequests.number(dataSource, "select 1")).isEqualTo(1);
        assertThat(JdbcRequests.number(dataSource, "select count(*) from upload"))
                .isZero();
    }
}
