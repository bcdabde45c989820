package dev.deadline.jdbc;

/** What a request waits for in a database. */
enum MatrixSituation {
    QUERY("running query"),
    LOCK("lock wait"),
    POOL("pool wait"),
    ROWS("row streaming"),
    DARK("dark network");

    private final String label;

    MatrixSituation(String label) {
        this.label = label;
    }

    String label() {
        return this.label;
    }

    /** Whether a database can be in it. */
    boolean isPossibleIn(TestDatabase database) {
        return this != DARK || database != TestDatabase.H2;
    }

    /** How many milliseconds past the deadline the caller may be held; PostgreSQL starts a process for each cancel. */
    long callerLimit(TestDatabase database) {
        long limit = (database == TestDatabase.POSTGRESQL && this != POOL) ? 200 : 50;
        return (this == DARK) ? limit + JdbcRequests.GRACE_MILLIS : limit;
    }
}
