package dev.deadline.jdbc;

import dev.deadline.DeadlineExceededException;
import dev.deadline.engine.CallGuard;
import dev.deadline.engine.CallGuard.Exit;
import dev.deadline.engine.Scope;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Stops the calls of one connection when one scope ends, which can be the end of one call only: all that follow are
 * refused. First the statement is cancelled, again and again; then the connection is cut.
 */
final class CallStop implements CallGuard.Means, AutoCloseable {

    private static final Log logger = LogFactory.getLog(CallStop.class);

    private record Call(CallKind kind, @Nullable Statement statement) {}

    private final Connection connection;

    private final DatabaseKind database;

    private final StopThreads threads;

    private final boolean late;

    private final CallGuard guard;

    // By CAS only: closes the race between two threads that use one connection, so that what is meant for one call is
    // never taken for the other. Written before the guard is entered, so that an attempt sees the call it is for.
    private final AtomicReference<@Nullable Call> inside = new AtomicReference<>();

    // These belong to the attempt that is running, and after the call to the thread that made it; the guard passes them
    // on.
    private @Nullable CancelAttempt attempt;

    private int sent;

    private boolean cut;

    // Volatile as a connection may go from one thread to another.
    private volatile boolean intact = true;

    /**
     * @param late whether the calls are such as begin after the end of their own scope, so that this is another one
     */
    CallStop(Scope scope, Connection connection, DatabaseKind database, StopThreads threads, boolean late) {
        this.connection = connection;
        this.database = database;
        this.threads = threads;
        this.late = late;
        this.guard = CallGuard.of(scope, this);
    }

    Scope scope() {
        return this.guard.scope();
    }

    /**
     * A call begins.
     *
     * @return false if another one is inside, on another thread, which is the one that is stopped
     * @throws DeadlineExceededException if the time is up; what that has done to the connection says {@link #isIntact}
     */
    boolean enter(CallKind kind, @Nullable Statement statement) {
        if (!this.inside.compareAndSet(null, new Call(kind, statement))) {
            return false;
        }
        boolean entered = false;
        try {
            entered = this.guard.enter();
        } catch (DeadlineExceededException ex) {
            // Before it looked at the time the call was inside already, and may have been cancelled.
            settle(null);
            throw ex;
        } finally {
            if (!entered) {
                this.inside.set(null);
            }
        }
        return entered;
    }

    /**
     * The call has ended.
     *
     * @param failure what it threw; null if it did not
     */
    void leave(@Nullable Throwable failure) {
        settle(failure);
        this.inside.set(null);
    }

    /** Whether the connection is as good as before: nothing was tried, or what was tried has done its work. */
    boolean isIntact() {
        return this.intact;
    }

    private void settle(@Nullable Throwable failure) {
        long end = System.nanoTime() + CallGuard.EXIT_LIMIT_NANOS;
        Exit exit = this.guard.leave();
        if (exit == Exit.STILL_BEING_STOPPED || (exit == Exit.STOPPED && !isStoppedBy(failure, end))) {
            this.intact = false;
        }
    }

    // Whether everything that was tried is over, and has not ended anything but this call.
    private boolean isStoppedBy(@Nullable Throwable failure, long endNanos) {
        if (this.cut || DatabaseKind.isConnectionLost(failure)) {
            return false;
        }
        CancelAttempt last = this.attempt;
        if (last != null) {
            last.withdraw();
            if (!last.await(endNanos)) {
                return false;
            }
            countIfSent(last);
            this.attempt = null;
        }
        int cancels = this.sent;
        this.sent = 0;
        boolean oneForOne = cancels == 1 || this.database.forgetsLateCancels();
        return cancels == 0 || (oneForOne && this.database.isCancelled(failure));
    }

    @Override
    public void attempt(long sinceFirstNanos) {
        Call call = this.inside.get();
        if (call == null) {
            return;
        }
        long patience = call.kind().patienceNanos(this.late, scope().graceNanos());
        if (sinceFirstNanos >= patience && !this.cut) {
            cut();
        }
        if (!this.cut && call.kind().isCancelled()) {
            cancel(call.statement());
        }
    }

    private void cancel(@Nullable Statement statement) {
        CancelAttempt last = this.attempt;
        if (last != null) {
            if (!last.isOver()) {
                return;
            }
            countIfSent(last);
        }
        CancelAttempt next = new CancelAttempt(this.database, this.connection, statement);
        try {
            this.threads.cancelling().execute(next);
            this.attempt = next;
        } catch (RejectedExecutionException ex) {
            // The application has ended; what is left is to cut the connection.
            this.attempt = null;
        }
    }

    private void countIfSent(CancelAttempt over) {
        if (over.isSent()) {
            this.sent++;
        }
    }

    private void cut() {
        this.cut = true;
        this.threads.cut(() -> {
            try {
                this.connection.abort(Runnable::run);
            } catch (SQLException | RuntimeException | AbstractMethodError ex) {
                logger.debug("A connection could not be cut", ex);
            }
        });
    }

    @Override
    public void close() {
        this.guard.close();
    }
}
