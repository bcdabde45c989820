package dev.deadline.jdbc;

import java.lang.reflect.Method;
import java.sql.ResultSet;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** What a method of a JDBC object means to a deadline. */
enum CallKind {

    /** Answers without the database, or is the application's own business. */
    PLAIN,

    /** Of {@link Object}. */
    IDENTITY,

    /** Asks for the object behind. */
    UNWRAP,

    /** Answers the object that this one came from. */
    OWNER,

    /** Waits for the database: refused once time is up, and cancelled when it ends meanwhile. */
    WORK,

    /** Closes what may have to be read to its end first. */
    CLOSE_CURSOR,

    /** Puts a connection in order: also after the end of the time, and never cancelled. */
    TIDY,

    /** Takes back the transaction: likewise. */
    ROLLBACK,

    /** Begun, it is finished; not begun, it is refused. */
    COMMIT,

    /** Commits implicitly where it changes something. */
    AUTO_COMMIT,

    /** Gives the connection back. */
    CLOSE,

    /** Asks whether the connection is of use. */
    IS_USABLE;

    private static final long TIDY_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long COMMIT_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long CURSOR_LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final Set<CallKind> LATE = EnumSet.of(CLOSE_CURSOR, TIDY, ROLLBACK, AUTO_COMMIT, CLOSE);

    private static final Map<String, CallKind> OF_CONNECTION = Map.ofEntries(
            Map.entry("prepareStatement", WORK),
            Map.entry("prepareCall", WORK),
            Map.entry("getTransactionIsolation", WORK),
            Map.entry("getSchema", WORK),
            Map.entry("getCatalog", WORK),
            Map.entry("setSavepoint", WORK),
            // The driver of PostgreSQL asks the server for the type.
            Map.entry("createArrayOf", WORK),
            Map.entry("createStruct", WORK),
            Map.entry("setSchema", TIDY),
            Map.entry("setCatalog", TIDY),
            Map.entry("setReadOnly", TIDY),
            Map.entry("setTransactionIsolation", TIDY),
            Map.entry("releaseSavepoint", TIDY),
            Map.entry("clearWarnings", TIDY),
            Map.entry("commit", COMMIT),
            Map.entry("setAutoCommit", AUTO_COMMIT),
            Map.entry("close", CLOSE),
            Map.entry("isClosed", IS_USABLE),
            Map.entry("isValid", IS_USABLE));

    private static final Map<String, CallKind> OF_STATEMENT = Map.of(
            "getMoreResults", WORK,
            "getGeneratedKeys", WORK,
            "getMetaData", WORK,
            "getParameterMetaData", WORK,
            "getConnection", OWNER,
            "close", CLOSE_CURSOR);

    private static final Map<String, CallKind> OF_RESULTS = Map.ofEntries(
            Map.entry("next", WORK),
            Map.entry("previous", WORK),
            Map.entry("first", WORK),
            Map.entry("last", WORK),
            Map.entry("absolute", WORK),
            Map.entry("relative", WORK),
            Map.entry("beforeFirst", WORK),
            Map.entry("afterLast", WORK),
            Map.entry("isLast", WORK),
            Map.entry("isAfterLast", WORK),
            Map.entry("refreshRow", WORK),
            Map.entry("insertRow", WORK),
            Map.entry("updateRow", WORK),
            Map.entry("deleteRow", WORK),
            Map.entry("getStatement", OWNER),
            Map.entry("close", CLOSE_CURSOR));

    static CallKind ofConnection(Method method) {
        if (method.getName().equals("rollback")) {
            // The other one goes back to a savepoint.
            return (method.getParameterCount() == 0) ? ROLLBACK : TIDY;
        }
        return OF_CONNECTION.getOrDefault(method.getName(), PLAIN);
    }

    static CallKind ofStatement(String method) {
        return method.startsWith("execute") ? WORK : OF_STATEMENT.getOrDefault(method, PLAIN);
    }

    static CallKind ofResults(String method) {
        return OF_RESULTS.getOrDefault(method, PLAIN);
    }

    /** What answers rows asks the database. */
    static CallKind ofMetaData(Method method) {
        if (method.getName().equals("getConnection")) {
            return OWNER;
        }
        return (method.getReturnType() == ResultSet.class) ? WORK : PLAIN;
    }

    /** Whether it may begin after the end of the time. */
    boolean mayBeginLate() {
        return LATE.contains(this);
    }

    /** Whether the statement it belongs to is cancelled when its time ends meanwhile. */
    boolean isCancelled() {
        return this == WORK || this == CLOSE_CURSOR;
    }

    /** The time it has of its own if it begins late. */
    long lateLimitNanos() {
        return (this == CLOSE_CURSOR) ? CURSOR_LIMIT_NANOS : TIDY_LIMIT_NANOS;
    }

    /**
     * How long after the end of its time the connection is cut under it.
     *
     * @param late whether it began late, with a time of its own
     */
    long patienceNanos(boolean late, long graceNanos) {
        if (isCancelled()) {
            return graceNanos;
        }
        return late ? 0 : (this == COMMIT) ? COMMIT_LIMIT_NANOS : TIDY_LIMIT_NANOS;
    }
}
