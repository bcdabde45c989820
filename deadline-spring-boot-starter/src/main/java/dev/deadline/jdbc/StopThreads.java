package dev.deadline.jdbc;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The threads that talk to databases about work to be stopped. They are apart from those of other clients, as a
 * database that cannot be reached holds each of them for seconds; and cutting connections is apart from cancelling
 * statements, as it is what helps when all cancels hang.
 */
final class StopThreads implements AutoCloseable {

    private final ExecutorService cancelling;

    private final ExecutorService cutting;

    StopThreads(int threads) {
        this.cancelling = new ThreadPoolExecutor(
                0, threads, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), daemons("deadline-jdbc-cancel-"));
        ThreadPoolExecutor queueing = new ThreadPoolExecutor(
                threads, threads, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), daemons("deadline-jdbc-abort-"));
        queueing.allowCoreThreadTimeOut(true);
        this.cutting = queueing;
    }

    private static ThreadFactory daemons(String prefix) {
        CustomizableThreadFactory threads = new CustomizableThreadFactory(prefix);
        threads.setDaemon(true);
        return threads;
    }

    /** Runs cancels; rejects what finds every thread busy. */
    Executor cancelling() {
        return this.cancelling;
    }

    /** Runs what cuts a connection, which is late where every thread is busy; by itself once these have been closed. */
    void cut(Runnable task) {
        try {
            this.cutting.execute(task);
        } catch (RejectedExecutionException ex) {
            task.run();
        }
    }

    @Override
    public void close() {
        this.cancelling.shutdownNow();
        this.cutting.shutdownNow();
    }
}
