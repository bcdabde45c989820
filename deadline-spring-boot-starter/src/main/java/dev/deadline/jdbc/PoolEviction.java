package dev.deadline.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Wrapper;
import javax.sql.DataSource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Drops a connection, by the way that its pool has for that. */
final class PoolEviction {

    private static final Log logger = LogFactory.getLog(PoolEviction.class);

    private static final boolean HIKARI =
            ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", PoolEviction.class.getClassLoader());

    private final DataSource dataSource;

    PoolEviction(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Drops a connection that has been borrowed. Does not wait for it. */
    void evict(Connection connection, StopThreads threads) {
        if (HIKARI && Hikari.evict(this.dataSource, connection)) {
            return;
        }
        threads.cut(() -> {
            try {
                abort(connection);
                if (!invalidate(connection)) {
                    discard(connection);
                    connection.close();
                }
            } catch (Exception ex) {
                logger.debug("A connection could not be dropped", ex);
            }
        });
    }

    /** Drops a connection that is in the pool again, where the pool can tell whether it is. */
    void evictReturned(Connection connection) {
        if (HIKARI) {
            Hikari.evict(this.dataSource, connection);
        }
    }

    // Then whatever is still going on has nowhere to go, and pools find it closed.
    private static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException | AbstractMethodError ex) {
            logger.debug("A connection could not be cut", ex);
        }
    }

    // Apache DBCP.
    private boolean invalidate(Connection connection) throws ReflectiveOperationException {
        Method method =
                ReflectionUtils.findMethod(this.dataSource.getClass(), "invalidateConnection", Connection.class);
        if (method == null) {
            return false;
        }
        method.invoke(this.dataSource, connection);
        return true;
    }

    // The pool of Tomcat, which looks at this when the connection is given back.
    private static void discard(Connection connection) throws SQLException, ReflectiveOperationException {
        Class<?> type = tomcatType();
        if (type != null && connection.isWrapperFor(type)) {
            type.getMethod("setDiscarded", boolean.class).invoke(connection.unwrap(type), true);
        }
    }

    private static @Nullable Class<?> tomcatType() {
        String name = "org.apache.tomcat.jdbc.pool.PooledConnection";
        ClassLoader loader = PoolEviction.class.getClassLoader();
        return ClassUtils.isPresent(name, loader) ? ClassUtils.resolveClassName(name, loader) : null;
    }

    private static final class Hikari {

        static boolean evict(DataSource dataSource, Connection connection) {
            HikariDataSource pool = unwrap(dataSource, HikariDataSource.class);
            Connection own = unwrapped(connection);
            if (pool == null || own == null) {
                return false;
            }
            pool.evictConnection(own);
            return true;
        }

        private static @Nullable Connection unwrapped(Connection connection) {
            try {
                Class<? extends Connection> type = ClassUtils.resolveClassName(
                                "com.zaxxer.hikari.pool.ProxyConnection", Hikari.class.getClassLoader())
                        .asSubclass(Connection.class);
                return unwrap(connection, type);
            } catch (IllegalArgumentException ex) {
                return null;
            }
        }

        private static <T> @Nullable T unwrap(Wrapper wrapper, Class<T> type) {
            try {
                if (type.isInstance(wrapper)) {
                    return type.cast(wrapper);
                }
                return wrapper.isWrapperFor(type) ? wrapper.unwrap(type) : null;
            } catch (SQLException ex) {
                return null;
            }
        }
    }
}
