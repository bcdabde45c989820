package dev.deadline.jdbc;

import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** One attempt to cancel a statement, which may hang: the statement that is over waits for it for a while only. */
final class CancelAttempt implements Runnable {

    private static final Log logger = LogFactory.getLog(CancelAttempt.class);

    private static final int WAITING = 0;

    private static final int SENT = 1;

    private static final int WITHDRAWN = 2;

    private final DatabaseKind database;

    private final Connection connection;

    private final @Nullable Statement statement;

    // By CAS only: closes the race between a statement that is over and an attempt that has yet to begin, which
    // would hit the next statement.
    private final AtomicInteger state = new AtomicInteger(WAITING);

    private final CountDownLatch over = new CountDownLatch(1);

    CancelAttempt(DatabaseKind database, Connection connection, @Nullable Statement statement) {
        this.database = database;
        this.connection = connection;
        this.statement = statement;
    }

    @Override
    public void run() {
        if (!this.state.compareAndSet(WAITING, SENT)) {
            return;
        }
        try {
            this.database.cancel(this.connection, this.statement);
        } catch (Throwable ex) {
            logger.debug("A statement could not be cancelled this time", ex);
        } finally {
            this.over.countDown();
        }
    }

    /** Whether another one may follow. */
    boolean isOver() {
        return this.over.getCount() == 0;
    }

    boolean isSent() {
        return this.state.get() == SENT;
    }

    /** Takes it back if it has not begun; else it cannot be. */
    void withdraw() {
        if (this.state.compareAndSet(WAITING, WITHDRAWN)) {
            this.over.countDown();
        }
    }

    /**
     * Waits until it is over; false if it takes too long. An interrupt is kept for later.
     *
     * @param endNanos until when at most, by {@link System#nanoTime()}
     */
    boolean await(long endNanos) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return this.over.await(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException ex) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
