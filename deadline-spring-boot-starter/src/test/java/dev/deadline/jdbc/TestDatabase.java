package dev.deadline.jdbc;

import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The databases that tests run against, and how to make each of them slow. */
public enum TestDatabase {
    POSTGRESQL("PostgreSQL"),
    H2("H2"),

    /** Where {@code deadline.test.mariadb} offers the URL of one. */
    MARIADB("MariaDB");

    /** Milliseconds; far from every limit that is compared, so that no hiccup turns a verdict. */
    static final int H2_LOCK_TIMEOUT = 2000;

    private static final @Nullable String MARIADB_URL = System.getProperty("deadline.test.mariadb");

    private final String label;

    TestDatabase(String label) {
        this.label = label;
    }

    String label() {
        return this.label;
    }

    static List<TestDatabase> offered() {
        List<TestDatabase> databases = new ArrayList<>(List.of(POSTGRESQL, H2));
        if (MARIADB_URL != null && !MARIADB_URL.isEmpty()) {
            databases.add(MARIADB);
        }
        return databases;
    }

    String url() {
        return switch (this) {
            case POSTGRESQL -> Postgres.url();
            case H2 -> "jdbc:h2:mem:test;DB_CLOSE_DELAY=-1;LAZY_QUERY_EXECUTION=1;LOCK_TIMEOUT=" + H2_LOCK_TIMEOUT;
            case MARIADB -> MARIADB_URL;
        };
    }

    /** Where its server listens; H2 has none. */
    int port() {
        return switch (this) {
            case POSTGRESQL -> Postgres.port();
            case H2 -> throw new UnsupportedOperationException();
            case MARIADB -> URI.create(MARIADB_URL.substring("jdbc:".length())).getPort();
        };
    }

    /** Its URL by another port. */
    String urlAt(int port) {
        return url().replace(":" + port() + "/", ":" + port + "/");
    }

    /** Another connection, which no deadline knows of. */
    Connection connect() throws SQLException {
        return DriverManager.getConnection(url());
    }

    /** A query that answers one row, after about this time: H2 has nothing to sleep with that it can cancel. */
    String sleep(Duration duration) {
        String seconds = String.valueOf(duration.toMillis() / 1000.0);
        return switch (this) {
            case POSTGRESQL -> "select /* slow */ 1 from pg_sleep(" + seconds + ")";
            case H2 ->
                "select /* slow */ count(*) from system_range(1, " + duration.toMillis() * 10_000
                        + ") where mod(x, 7) = 8";
            case MARIADB -> "select /* slow */ sleep(" + seconds + ") + 1";
        };
    }

    /** A query for the number of the connection on the server. */
    String session() {
        return switch (this) {
            case POSTGRESQL -> "select pg_backend_pid()";
            case H2 -> "select session_id()";
            case MARIADB -> "select connection_id()";
        };
    }

    /**
     * A query that answers rows, thousands of them, some milliseconds apart; on H2 fractions of that, as it looks at every
     * 128th row whether it is cancelled.
     */
    String drip() {
        return switch (this) {
            case POSTGRESQL -> "select /* slow */ n, pg_sleep(0.005) from generate_series(1, 6000) n";
            case H2 -> withPause("select /* slow */ x, pause(x) from system_range(1, 100000)");
            case MARIADB -> "select /* slow */ seq, sleep(0.005) from seq_1_to_6000";
        };
    }

    private static String withPause(String query) {
        try (Connection connection = H2.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("create alias if not exists pause for 'dev.deadline.jdbc.TestDatabase.pause'");
        } catch (SQLException ex) {
            throw new IllegalStateException(ex);
        }
        return query;
    }

    /** Called by H2. */
    public static long pause(long row) {
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
        return row;
    }

    /** How many slow statements run on the server. */
    int running() throws SQLException {
        String query = switch (this) {
            case POSTGRESQL ->
                "select count(*) from pg_stat_activity where state = 'active' and query like ? "
                        + "and pid <> pg_backend_pid()";
            case H2 ->
                "select count(*) from information_schema.sessions where executing_statement like ? "
                        + "and session_id <> session_id()";
            case MARIADB ->
                "select count(*) from information_schema.processlist where info like ? " + "and id <> connection_id()";
        };
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setString(1, "%/* slow */%");
            return JdbcRequests.number(statement);
        }
    }
}
