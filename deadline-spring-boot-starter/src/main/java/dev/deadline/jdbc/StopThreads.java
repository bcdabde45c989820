package dev.deadline.jdbc;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The threads that talk to databases about work to be stopped. They are apart from those of other clients, as a
 * database that cannot be reached holds each of them for seconds. There is always one more, so that no database waits
 * for another, nor the cutting of a connection for a cancel; what needs one is at most one cancel for each connection,
 * and the end of that connection. They end when there has been nothing to do for a while.
 */
final class StopThreads implements AutoCloseable {

    private static final long IDLE_SECONDS = 10;

    private final ExecutorService threads;

    StopThreads() {
        CustomizableThreadFactory daemons = new CustomizableThreadFactory("deadline-jdbc-stop-");
        daemons.setDaemon(true);
        this.threads = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), daemons);
    }

    /** Runs cancels; rejects them once closed. */
    Executor cancelling() {
        return this.threads;
    }

    /** Runs what cuts a connection; by itself once closed. */
    void cut(Runnable task) {
        try {
            this.threads.execute(task);
        } catch (RejectedExecutionException ex) {
            task.run();
        }
    }

    @Override
    public void close() {
        this.threads.shutdownNow();
    }
}
