package dev.deadline.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import dev.deadline.engine.Scope;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * Waits for a connection of HikariCP by the pool's own method with a time limit: the data source knows only one limit
 * for all, of 250 ms at least. The pool is reached by the field in which Spring Boot looks for it as well.
 */
final class HikariWait implements PoolWait {

    private static final Log logger = LogFactory.getLog(HikariWait.class);

    private final HikariDataSource dataSource;

    private final Field poolField;

    // Whether a subclass does more than hand out what the pool has, such as setting a tenant, which is not to be passed
    // over.
    private final boolean overridden;

    // The pool that the proxy shows to those who look into its field. Volatile as any thread may be the first.
    private volatile @Nullable HikariPool shown;

    // The creation of the pool while it goes on. Guarded by the monitor of this object, which closes the race between
    // the first requests: one of them has the pool made, the others wait for that.
    private @Nullable CompletableFuture<@Nullable Void> creation;

    private HikariWait(HikariDataSource dataSource, Field poolField, boolean overridden) {
        this.dataSource = dataSource;
        this.poolField = poolField;
        this.overridden = overridden;
    }

    /** Null if this version of HikariCP is built differently. */
    static @Nullable HikariWait of(HikariDataSource dataSource) {
        try {
            HikariPool.class.getMethod("getConnection", long.class);
            Field field = HikariDataSource.class.getDeclaredField("pool");
            field.setAccessible(true);
            Class<?> owner = dataSource.getClass().getMethod("getConnection").getDeclaringClass();
            return new HikariWait(dataSource, field, owner != HikariDataSource.class);
        } catch (ReflectiveOperationException | InaccessibleObjectException ex) {
            logger.warn("The wait for a connection of this version of HikariCP can only be bounded by its own "
                    + "connection timeout. Shorten that, or use a version that is known to work.");
            return null;
        }
    }

    @Override
    public @Nullable Connection unbounded(MethodInvocation invocation) throws Throwable {
        Connection connection = (Connection) invocation.proceed();
        if (this.shown == null) {
            show(pool(), invocation);
        }
        return connection;
    }

    @Override
    public @Nullable Connection bounded(MethodInvocation invocation, Scope scope) throws Throwable {
        boolean bare = !this.overridden && invocation.getArguments().length == 0;
        if (!bare || !scope.isBounded() || this.dataSource.isClosed()) {
            return unbounded(invocation);
        }
        HikariPool pool = pool();
        if (pool == null) {
            create(scope);
            pool = pool();
        }
        if (pool == null) {
            return unbounded(invocation);
        }
        if (pool != this.shown) {
            show(pool, invocation);
        }
        // Rounded up, so that it never ends before its time, and is never 0.
        long left = TimeUnit.NANOSECONDS.toMillis(scope.remaining().toNanos()) + 1;
        return pool.getConnection(Math.min(left, this.dataSource.getConnectionTimeout()));
    }

    @Override
    public boolean endsByItself() {
        return !this.overridden;
    }

    private @Nullable HikariPool pool() {
        return (HikariPool) read(this.dataSource);
    }

    private @Nullable Object read(HikariDataSource from) {
        try {
            return this.poolField.get(from);
        } catch (IllegalAccessException ex) {
            throw new IllegalStateException("Made accessible, and yet it is not", ex);
        }
    }

    // The proxy has fields of its own, all empty.
    private void show(@Nullable HikariPool pool, MethodInvocation invocation) {
        if (pool != null
                && invocation instanceof ProxyMethodInvocation proxied
                && proxied.getProxy() instanceof HikariDataSource proxy) {
            try {
                this.poolField.set(proxy, pool);
            } catch (IllegalAccessException ex) {
                logger.debug("The metrics of this pool will be missing", ex);
            }
        }
        this.shown = pool;
    }

    // Opens a first connection, which nothing but its own settings bound: on a thread of its own.
    private void create(Scope scope) throws SQLException {
        CompletableFuture<@Nullable Void> creating = creating();
        try {
            creating.get(scope.remaining().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException ex) {
            throw scope.exceeded(ex);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new SQLException("Interrupted while the connection pool was made", ex);
        } catch (ExecutionException ex) {
            if (ex.getCause() instanceof SQLException failure) {
                throw failure;
            }
            if (ex.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new SQLException(ex.getCause());
        }
    }

    private synchronized CompletableFuture<@Nullable Void> creating() {
        CompletableFuture<@Nullable Void> present = this.creation;
        if (present != null && !present.isDone()) {
            return present;
        }
        CompletableFuture<@Nullable Void> next = new CompletableFuture<>();
        this.creation = next;
        Thread creator = new Thread(
                () -> {
                    try {
                        this.dataSource.getConnection().close();
                        next.complete(null);
                    } catch (Throwable ex) {
                        next.completeExceptionally(ex);
                    }
                },
                "deadline-jdbc-pool");
        creator.setDaemon(true);
        creator.start();
        return next;
    }
}
