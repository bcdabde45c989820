package dev.deadline.jdbc;

import dev.deadline.DeadlineExceededException;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.util.Objects;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/**
 * A borrowed connection. Its calls, and those of all that comes out of it, are bounded by the deadline that the calling
 * thread has at the moment of each.
 *
 * <p>A connection of which nobody can say what it is still doing is spoilt: nothing is asked of it any more, not even
 * to roll back, which the database does itself when the connection is gone, and it does not go back to the pool.
 */
final class GuardedConnection extends GuardedObject {

    private static final Log logger = LogFactory.getLog(GuardedConnection.class);

    private static final Method ROLLBACK =
            Objects.requireNonNull(ReflectionUtils.findMethod(Connection.class, "rollback"));

    private static final Method SET_AUTO_COMMIT =
            Objects.requireNonNull(ReflectionUtils.findMethod(Connection.class, "setAutoCommit", boolean.class));

    private final Connection connection;

    private final GuardedSource source;

    private final NetworkTimeout networkTimeout;

    private @Nullable DatabaseKind database;

    // Volatile, like what follows, for connections that go from one thread to another.
    private volatile @Nullable CallStop stop;

    private volatile boolean spoilt;

    private volatile boolean closed;

    // Whether something has been done since the last end of a transaction.
    private volatile boolean dirty;

    // Whether going back to committing by itself was refused, as it would have committed.
    private volatile boolean autoCommitDue;

    GuardedConnection(Connection connection, GuardedSource source) {
        super(connection);
        this.connection = connection;
        this.source = source;
        this.networkTimeout = new NetworkTimeout(connection);
    }

    @Override
    GuardedConnection connection() {
        return this;
    }

    @Override
    @Nullable
    Object owner() {
        return null;
    }

    @Override
    @Nullable
    Statement statement() {
        return null;
    }

    /**
     * Makes a call that has to do with the database, in a section in which the thread is not interrupted.
     *
     * @param on whose method it is: this one, or what came out of it
     */
    @Nullable
    Object call(CallKind kind, GuardedObject on, Method method, Object[] args) throws Throwable {
        if (this.spoilt) {
            return callInVain(kind, method);
        }
        if (this.closed || kind == CallKind.IS_USABLE) {
            return on.invokeRaw(method, args);
        }
        Scope scope = DeadlineEngine.currentScope();
        if (scope == null || !scope.isEnforced()) {
            return callFreely(kind, on, method, args);
        }
        // Without looking at the clock, which the guard does.
        return (scope.reason() != null)
                ? callLate(kind, scope, on, method, args)
                : callInTime(kind, scope, on, method, args);
    }

    private @Nullable Object callFreely(CallKind kind, GuardedObject on, Method method, Object[] args)
            throws Throwable {
        this.networkTimeout.restore();
        try {
            return on.invokeRaw(method, args);
        } finally {
            note(kind);
        }
    }

    private @Nullable Object callInTime(CallKind kind, Scope scope, GuardedObject on, Method method, Object[] args)
            throws Throwable {
        CallStop current = stopFor(scope);
        cover(kind, scope, false);
        try {
            if (!current.enter(kind, on.statement())) {
                return on.invokeRaw(method, args);
            }
        } catch (DeadlineExceededException ex) {
            if (!current.isIntact()) {
                this.spoilt = true;
                return callInVain(kind, method);
            }
            return callLate(kind, scope, on, method, args);
        }
        return invoke(current, kind, scope, on, method, args);
    }

    // The time is up. Putting things in order is allowed a time of its own.
    private @Nullable Object callLate(CallKind kind, Scope scope, GuardedObject on, Method method, Object[] args)
            throws Throwable {
        if (!kind.mayBeginLate()) {
            throw scope.exceeded(null);
        }
        if (kind == CallKind.AUTO_COMMIT && Boolean.TRUE.equals(args[0]) && isInTransaction()) {
            this.autoCommitDue = true;
            throw scope.exceeded(null);
        }
        if (kind == CallKind.CLOSE) {
            putInOrder(scope);
            if (this.spoilt) {
                return callInVain(kind, method);
            }
        }
        Scope own = scope.cleanUp(kind.lateLimitNanos());
        cover(kind, own, true);
        boolean entered = false;
        try (CallStop late = new CallStop(own, this.connection, database(), this.source.threads(), true)) {
            if (!late.enter(kind, on.statement())) {
                return on.invokeRaw(method, args);
            }
            entered = true;
            return invoke(late, kind, scope, on, method, args);
        } catch (DeadlineExceededException ex) {
            if (entered) {
                throw ex;
            }
            // The thread did not get to run in all that time.
            this.spoilt = true;
            return callInVain(kind, method);
        } finally {
            own.complete();
        }
    }

    // Pools and drivers differ in what becomes of a transaction; some commit. And not every pool looks at the mode.
    private void putInOrder(Scope scope) {
        try {
            if (isInTransaction()) {
                callLate(CallKind.ROLLBACK, scope, this, ROLLBACK, NO_ARGUMENTS);
            }
            if (this.autoCommitDue && !this.spoilt) {
                callLate(CallKind.AUTO_COMMIT, scope, this, SET_AUTO_COMMIT, new Object[] {true});
            }
        } catch (Throwable ex) {
            // It has to leave the application's hands all the same, or its pool would wait for it for ever.
            logger.debug("A connection is given up, as it could not be put in order", ex);
            this.spoilt = true;
        }
    }

    private void cover(CallKind kind, Scope scope, boolean late) {
        if (kind == CallKind.CLOSE) {
            this.networkTimeout.restore();
        } else {
            this.networkTimeout.cover(database(), scope, kind.patienceNanos(late, scope.graceNanos()));
        }
    }

    private @Nullable Object invoke(
            CallStop current, CallKind kind, Scope scope, GuardedObject on, Method method, Object[] args)
            throws Throwable {
        Throwable failure = null;
        Object answer = null;
        try {
            answer = on.invokeRaw(method, args);
        } catch (Throwable ex) {
            failure = ex;
        }
        current.leave(failure);
        // One out of the driver comes from a stream that it read for a statement, which it has sent a part of.
        if (!current.isIntact() || failure instanceof DeadlineExceededException) {
            this.spoilt = true;
            if (kind == CallKind.CLOSE) {
                this.source.evictReturned(this.connection);
            }
        }
        note(kind);
        if (failure == null) {
            return answer;
        }
        // Whatever a driver throws once time is up, it is thrown because of that; not so what only tidies up.
        boolean cut = failure instanceof SQLException && !kind.mayBeginLate() && scope.isExpired();
        throw cut ? scope.exceeded(failure) : failure;
    }

    private void note(CallKind kind) {
        switch (kind) {
            case WORK -> this.dirty = true;
            case COMMIT, ROLLBACK -> this.dirty = false;
            case AUTO_COMMIT -> {
                this.dirty = false;
                this.autoCommitDue = false;
            }
            case CLOSE -> closed();
            default -> {}
        }
    }

    private boolean isInTransaction() throws SQLException {
        return this.dirty && !this.connection.getAutoCommit();
    }

    // Only what is asked for in the course of cleaning up is answered, so that the failure which led here is the one
    // that is reported.
    private @Nullable Object callInVain(CallKind kind, Method method) throws SQLException {
        switch (kind) {
            case CLOSE -> {
                if (!this.closed) {
                    closed();
                    this.source.evict(this.connection);
                }
                return null;
            }
            case TIDY, ROLLBACK, AUTO_COMMIT, CLOSE_CURSOR -> {
                return null;
            }
            case IS_USABLE -> {
                return method.getName().equals("isClosed") && this.closed;
            }
            default -> {
                Scope scope = DeadlineEngine.currentScope();
                if (scope != null && scope.isEnforced() && scope.isExpired()) {
                    throw scope.exceeded(null);
                }
                throw new SQLNonTransientConnectionException(
                        "This connection is given up, because a statement on it had to be stopped at its deadline",
                        "08003");
            }
        }
    }

    private void closed() {
        this.closed = true;
        CallStop last = this.stop;
        if (last != null) {
            last.close();
        }
    }

    private CallStop stopFor(Scope scope) {
        CallStop current = this.stop;
        return (current != null && current.scope() == scope) ? current : changeTo(scope);
    }

    // The lock closes the race between two threads that use one connection: none of the guards they make is lost, and
    // with it the hook it has in its scope.
    private synchronized CallStop changeTo(Scope scope) {
        CallStop current = this.stop;
        if (current != null) {
            if (current.scope() == scope) {
                return current;
            }
            current.close();
        }
        CallStop next = new CallStop(scope, this.connection, database(), this.source.threads(), false);
        this.stop = next;
        return next;
    }

    private DatabaseKind database() {
        DatabaseKind known = this.database;
        if (known == null) {
            known = DatabaseKind.of(this.connection);
            this.database = known;
            this.source.learnt(known);
        }
        return known;
    }
}
