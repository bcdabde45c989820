package dev.deadline.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.MonotonicClock;
import dev.deadline.engine.RealEngine;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/** A real engine, and requests that use databases. */
final class JdbcRequests implements AutoCloseable {

    /** How long the engine waits before a connection is cut. */
    static final long GRACE_MILLIS = 150;

    final RealEngine engine;

    final JdbcDeadlines deadlines;

    private final DataSourceDecorator decorator;

    JdbcRequests() {
        this(MonotonicClock.SYSTEM);
    }

    /** Those of an engine on a clock that does more than tell the time. */
    JdbcRequests(MonotonicClock clock) {
        this.engine = new RealEngine(clock);
        this.deadlines = new JdbcDeadlines(this.engine.engine());
        this.decorator = new DataSourceDecorator(() -> this.deadlines);
    }

    /** Work of a request. */
    @FunctionalInterface
    interface Work<T> {

        T run(Scope scope) throws Exception;
    }

    @SuppressWarnings("unchecked")
    <T extends DataSource> T decorated(T dataSource) {
        return (T) this.decorator.decorate(dataSource, "test", false);
    }

    static HikariDataSource pool(String url, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(10_000);
        return new HikariDataSource(config);
    }

    /** Does work on the calling thread in a request with this budget. */
    <T> T request(Duration budget, Work<T> work) throws Exception {
        Scope scope = this.engine.request(budget);
        DeadlineEngine bound = this.engine.engine();
        try (Section section = bound.bind(scope)) {
            return work.run(scope);
        } finally {
            scope.complete();
        }
    }

    /** Asks for one number. */
    static int number(DataSource dataSource, String query) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return number(connection, query);
        }
    }

    static int number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getInt(1);
        }
    }

    static int number(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            rows.next();
            return rows.getInt(1);
        }
    }

    @Override
    public void close() {
        this.deadlines.close();
        this.engine.close();
    }
}
