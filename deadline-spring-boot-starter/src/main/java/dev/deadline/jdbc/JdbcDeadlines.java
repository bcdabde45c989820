package dev.deadline.jdbc;

import dev.deadline.engine.DeadlineEngine;

/** What all data sources of an application share. To be closed with it. */
public final class JdbcDeadlines implements AutoCloseable {

    private final DeadlineEngine engine;

    private final StopThreads threads = new StopThreads();

    public JdbcDeadlines(DeadlineEngine engine) {
        this.engine = engine;
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
