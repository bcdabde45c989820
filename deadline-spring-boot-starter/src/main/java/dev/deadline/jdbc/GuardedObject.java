package dev.deadline.jdbc;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Section;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Statement;
import java.sql.Wrapper;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A JDBC object whose calls are bounded: a proxy of its interface, so that methods which newer JDKs add are there too.
 * Each call that has to do with the database goes through {@link GuardedConnection#call}, and what it answers is guarded
 * in turn. The thread is not interrupted in any of them: also what looks harmless may read from a file or a socket.
 */
abstract class GuardedObject implements InvocationHandler {

    static final Object[] NO_ARGUMENTS = {};

    // Looked up for every call, and a proxy class always hands in the same Method objects.
    private static final Map<Method, CallKind> KINDS = new ConcurrentHashMap<>();

    final Object raw;

    GuardedObject(Object raw) {
        this.raw = raw;
    }

    /** The connection by whose deadline the calls go. */
    abstract GuardedConnection connection();

    /** What the application sees as the origin of this object. */
    abstract @Nullable Object owner();

    /** The statement that is cancelled to end a call; null if there is none. */
    abstract @Nullable Statement statement();

    /** The object that is to be seen in place of this one's. */
    final <T> T proxy(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(GuardedObject.class.getClassLoader(), new Class<?>[] {type}, this));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        Object[] args = (arguments != null) ? arguments : NO_ARGUMENTS;
        CallKind kind = KINDS.get(method);
        if (kind == null) {
            kind = kindOf(method);
            KINDS.put(method, kind);
        }
        if (DeadlineEngine.currentScope() == null) {
            return invoke(kind, proxy, method, args);
        }
        try (Section shield = DeadlineEngine.shield()) {
            return invoke(kind, proxy, method, args);
        }
    }

    private @Nullable Object invoke(CallKind kind, Object proxy, Method method, Object[] args) throws Throwable {
        return switch (kind) {
            case PLAIN -> guarded(proxy, invokeRaw(method, args), args);
            case IDENTITY -> identity(proxy, method, args);
            case UNWRAP -> unwrap(proxy, method, args);
            case OWNER -> owner();
            default -> guarded(proxy, connection().call(kind, this, method, args), args);
        };
    }

    private static CallKind kindOf(Method method) {
        Class<?> type = method.getDeclaringClass();
        if (type == Object.class) {
            return CallKind.IDENTITY;
        }
        if (type == Wrapper.class) {
            return CallKind.UNWRAP;
        }
        if (ResultSet.class.isAssignableFrom(type)) {
            return CallKind.ofResults(method.getName());
        }
        if (Statement.class.isAssignableFrom(type)) {
            return CallKind.ofStatement(method.getName());
        }
        if (type == DatabaseMetaData.class) {
            return CallKind.ofMetaData(method);
        }
        return Connection.class.isAssignableFrom(type) ? CallKind.ofConnection(method) : CallKind.PLAIN;
    }

    /** Calls the object behind. */
    final @Nullable Object invokeRaw(Method method, Object... args) throws Throwable {
        for (int arg = 0; arg < args.length; arg++) {
            args[arg] = unguarded(args[arg]);
        }
        try {
            return method.invoke(this.raw, args);
        } catch (InvocationTargetException ex) {
            throw ex.getTargetException();
        }
    }

    // Drivers take only their own large objects without reading them to the end.
    private static Object unguarded(Object argument) {
        // Asked in this order as most arguments are no proxies, and telling that is quick.
        return (argument instanceof Proxy
                        && typeOfLargeObject(argument) != null
                        && Proxy.getInvocationHandler(argument) instanceof GuardedObject guarded)
                ? guarded.raw
                : argument;
    }

    private @Nullable Object identity(Object proxy, Method method, Object[] args) {
        return switch (method.getName()) {
            case "equals" -> proxy == args[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> this.raw.toString();
        };
    }

    private Object unwrap(Object proxy, Method method, Object[] args) throws SQLException {
        Class<?> type = (Class<?>) args[0];
        Wrapper wrapper = (Wrapper) this.raw;
        if (method.getName().equals("isWrapperFor")) {
            return type.isInstance(proxy) || type.isInstance(this.raw) || wrapper.isWrapperFor(type);
        }
        if (type.isInstance(proxy)) {
            return proxy;
        }
        return type.isInstance(this.raw) ? this.raw : wrapper.unwrap(type);
    }

    // An application that asked for an object of a class gets one of it.
    private @Nullable Object guarded(Object proxy, @Nullable Object answer, Object[] args) {
        Object guarded = guarded(proxy, answer);
        Object wanted = (args.length > 1) ? args[args.length - 1] : null;
        return (wanted instanceof Class<?> type && !type.isInstance(guarded)) ? answer : guarded;
    }

    private @Nullable Object guarded(Object proxy, @Nullable Object answer) {
        if (answer == null || answer instanceof String || answer instanceof Number || answer instanceof Boolean) {
            return answer;
        }
        if (answer instanceof ResultSet results) {
            return new GuardedPart(connection(), results, statementOwner(proxy), statement()).proxy(ResultSet.class);
        }
        if (answer instanceof Statement made) {
            Class<? extends Statement> type = (made instanceof CallableStatement)
                    ? CallableStatement.class
                    : (made instanceof PreparedStatement) ? PreparedStatement.class : Statement.class;
            return new GuardedPart(connection(), made, proxy, made).proxy(type);
        }
        if (answer instanceof DatabaseMetaData metaData) {
            return new GuardedPart(connection(), metaData, proxy, null).proxy(DatabaseMetaData.class);
        }
        Class<?> large = typeOfLargeObject(answer);
        if (large != null) {
            return new GuardedPart(connection(), answer, null, null).proxy(large);
        }
        return ShieldedStreams.shielded(answer);
    }

    private static @Nullable Class<?> typeOfLargeObject(@Nullable Object answer) {
        if (answer instanceof Blob) {
            return Blob.class;
        }
        if (answer instanceof Clob) {
            return (answer instanceof NClob) ? NClob.class : Clob.class;
        }
        return (answer instanceof SQLXML) ? SQLXML.class : null;
    }

    // Results of metadata have a statement that nobody else sees, or none.
    private static @Nullable Object statementOwner(Object proxy) {
        return (proxy instanceof Statement) ? proxy : null;
    }
}
