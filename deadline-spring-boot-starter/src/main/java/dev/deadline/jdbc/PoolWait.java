package dev.deadline.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.deadline.engine.Scope;
import java.sql.Connection;
import javax.sql.DataSource;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Waits for a connection of a data source. */
interface PoolWait {

    /** As long as the data source does by itself. */
    @Nullable
    Connection unbounded(MethodInvocation invocation) throws Throwable;

    /** No longer than to the end of a scope, if the data source can do that. */
    @Nullable
    Connection bounded(MethodInvocation invocation, Scope scope) throws Throwable;

    /** Whether the bounded wait ends in time without being interrupted. */
    boolean endsByItself();

    static PoolWait of(DataSource dataSource) {
        boolean hikari = ClassUtils.isPresent("com.zaxxer.hikari.pool.HikariPool", PoolWait.class.getClassLoader());
        PoolWait wait = hikari ? Hikari.waitFor(dataSource) : null;
        return (wait != null) ? wait : new AnyPool();
    }

    /** Waits as long as the pool is set to. */
    final class AnyPool implements PoolWait {

        @Override
        public @Nullable Connection unbounded(MethodInvocation invocation) throws Throwable {
            return (Connection) invocation.proceed();
        }

        @Override
        public @Nullable Connection bounded(MethodInvocation invocation, Scope scope) throws Throwable {
            return unbounded(invocation);
        }

        @Override
        public boolean endsByItself() {
            return false;
        }
    }

    /** Loaded only where there is a Hikari. */
    final class Hikari {

        private Hikari() {}

        static @Nullable PoolWait waitFor(DataSource dataSource) {
            return (dataSource instanceof HikariDataSource hikari) ? HikariWait.of(hikari) : null;
        }
    }
}
