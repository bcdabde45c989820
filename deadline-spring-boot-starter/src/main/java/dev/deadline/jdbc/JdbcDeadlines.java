package dev.deadline.jdbc;

import dev.deadline.engine.DeadlineEngine;

/** What all data sources of an application share. To be closed with it. */
public final class JdbcDeadlines implements AutoCloseable {

    private final DeadlineEngine engine;

    private final StopThreads threads;

    /**
     * @param cancelThreads how many statements may be being cancelled at once; at least 1
     */
    public JdbcDeadlines(DeadlineEngine engine, int cancelThreads) {
        this.engine = engine;
        this.threads = new StopThreads(cancelThreads);
    }

    DeadlineEngine engine() {
        return this.engine;
    }

    StopThreads threads() {
        return this.threads;
    }

    /** Ends the threads. Connections can still be used, and are still refused after their deadline. */
    @Override
    public void close() {
        this.threads.close();
    }
}
