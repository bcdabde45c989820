package dev.deadline.jdbc;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/** What has to be known of a database to stop its statements. */
enum DatabaseKind {
    POSTGRESQL,
    H2,
    MARIADB,
    OTHER;

    /** {@code ER_QUERY_INTERRUPTED}. */
    private static final int MARIADB_KILLED = 1317;

    static DatabaseKind of(Connection connection) {
        try {
            DatabaseMetaData metaData = connection.getMetaData();
            String url = (metaData != null) ? metaData.getURL() : null;
            return (url != null) ? of(url) : OTHER;
        } catch (SQLException ex) {
            return OTHER;
        }
    }

    private static DatabaseKind of(String url) {
        if (url.startsWith("jdbc:postgresql:")) {
            return POSTGRESQL;
        }
        if (url.startsWith("jdbc:h2:")) {
            return H2;
        }
        return (url.startsWith("jdbc:mariadb:") || url.startsWith("jdbc:mysql:")) ? MARIADB : OTHER;
    }

    /**
     * Cancels what a connection is doing. May block.
     *
     * @param statement the statement it is doing it for; null if it has none, and then only PostgreSQL can
     */
    void cancel(Connection connection, @Nullable Statement statement) throws SQLException {
        if ((this != POSTGRESQL || !PostgresCancel.send(connection)) && statement != null) {
            statement.cancel();
        }
    }

    /**
     * Whether a cancel that has been sent, and has come too late for a statement, is known not to hit the next one: the
     * server of PostgreSQL has signalled its backend before the driver returns, and one that has nothing to do ignores
     * that; H2 looks at it in the statement itself.
     */
    boolean forgetsLateCancels() {
        return this == POSTGRESQL || this == H2;
    }

    /** Whether the socket has to have a timeout of its own, because cutting the connection may hang as well. */
    boolean needsNetworkTimeout() {
        return this == MARIADB || this == OTHER;
    }

    /** Whether an interrupt of a platform thread does no harm in the driver. */
    boolean isDeafToInterrupts() {
        return this == POSTGRESQL || this == MARIADB;
    }

    /** Whether a call failed because there is no connection any more. */
    static boolean isConnectionLost(@Nullable Throwable failure) {
        String state = (failure instanceof SQLException sql) ? sql.getSQLState() : null;
        return state != null && state.startsWith("08");
    }

    /**
     * Whether a statement ended in this way because it was cancelled. On MariaDB and MySQL the state alone does not tell:
     * a statement that ran into its own timeout ends in it too, and the cancel has then yet to take effect.
     */
    boolean isCancelled(@Nullable Throwable failure) {
        if (!(failure instanceof SQLException sql)) {
            return false;
        }
        String state = sql.getSQLState();
        return (this == MARIADB)
                ? "70100".equals(state) && sql.getErrorCode() == MARIADB_KILLED
                : "57014".equals(state) || "70100".equals(state);
    }

    // The driver's own Statement.cancel() makes the thread in the statement wait for it. By reflection, as compiling
    // against the driver takes annotations that it does not bring along.
    private static final class PostgresCancel {

        private static final @Nullable Method CANCEL = find();

        private static @Nullable Method find() {
            try {
                return Class.forName("org.postgresql.PGConnection").getMethod("cancelQuery");
            } catch (ReflectiveOperationException ex) {
                return null;
            }
        }

        static boolean send(Connection connection) throws SQLException {
            if (CANCEL == null || !connection.isWrapperFor(CANCEL.getDeclaringClass())) {
                return false;
            }
            ReflectionUtils.invokeMethod(CANCEL, connection.unwrap(CANCEL.getDeclaringClass()));
            return true;
        }
    }
}
