package dev.deadline.jdbc;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import dev.deadline.engine.VirtualThreads;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** One data source of the application: how its connections are waited for, guarded, and given up. */
final class GuardedSource implements MethodInterceptor {

    private final DataSource target;

    private final Supplier<@Nullable JdbcDeadlines> deadlines;

    private final PoolWait wait;

    private final PoolEviction eviction;

    // Resolved with the first connection, as data sources are made before most other beans. Volatile to be seen whole.
    private volatile @Nullable JdbcDeadlines resolved;

    private volatile DatabaseKind database = DatabaseKind.OTHER;

    GuardedSource(DataSource target, Supplier<@Nullable JdbcDeadlines> deadlines) {
        this.target = target;
        this.deadlines = deadlines;
        this.wait = PoolWait.of(target);
        this.eviction = new PoolEviction(target);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        JdbcDeadlines active = deadlines();
        if (active == null) {
            return this.wait.unbounded(invocation);
        }
        Scope scope = DeadlineEngine.currentScope();
        if (scope == null) {
            active.engine().listeners().unboundedCall("jdbc");
            return guarded(this.wait.unbounded(invocation));
        }
        return guarded(scope.isEnforced() ? borrow(invocation, scope) : this.wait.unbounded(invocation));
    }

    private @Nullable Connection borrow(MethodInvocation invocation, Scope scope) throws Throwable {
        scope.checkpoint();
        try (Section section = section()) {
            Connection connection = this.wait.bounded(invocation, scope);
            if (connection != null && scope.isExpired()) {
                connection.close();
                throw scope.exceeded(null);
            }
            return connection;
        } catch (SQLException ex) {
            throw scope.isExpired() ? scope.exceeded(ex) : ex;
        }
    }

    // An interrupt ends the wait in most pools, but it also reaches the driver, where the pool looks whether a
    // connection is alive: only where that does no harm.
    private Section section() {
        boolean harmless =
                !this.wait.endsByItself() && this.database.isDeafToInterrupts() && !VirtualThreads.isCurrent();
        return harmless ? DeadlineEngine.interruptible() : DeadlineEngine.shield();
    }

    private @Nullable Object guarded(@Nullable Connection connection) throws SQLException {
        if (connection == null || connection.isWrapperFor(BoundedConnection.class)) {
            return connection;
        }
        return new GuardedConnection(connection, this).proxy(BoundedConnection.class);
    }

    private @Nullable JdbcDeadlines deadlines() {
        JdbcDeadlines known = this.resolved;
        if (known == null) {
            known = this.deadlines.get();
            this.resolved = known;
        }
        return known;
    }

    StopThreads threads() {
        JdbcDeadlines known = this.resolved;
        if (known == null) {
            throw new IllegalStateException("No connection has been guarded yet");
        }
        return known.threads();
    }

    /** What database the connections turned out to be of. */
    void learnt(DatabaseKind kind) {
        this.database = kind;
    }

    /** Drops a connection in place of giving it back. Does not wait for it. */
    void evict(Connection connection) {
        this.eviction.evict(connection, threads());
    }

    /** Sees to it that a connection which has been given back, and has been cut meanwhile, is not used again. */
    void evictReturned(Connection connection) {
        this.eviction.evictReturned(connection);
    }
}
