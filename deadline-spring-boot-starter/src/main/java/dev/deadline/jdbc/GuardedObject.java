package dev.deadline.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Wrapper;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A JDBC object whose calls are bounded: a proxy of its interface, so that methods which newer JDKs add are there too.
 * Each call goes through {@link GuardedConnection#call}, and what it answers is guarded in turn.
 */
abstract class GuardedObject implements InvocationHandler {

    static final Object[] NO_ARGUMENTS = {};

    // Looked up for every call, and a proxy class always hands in the same Method objects.
    private static final Map<Method, CallKind> KINDS = new ConcurrentHashMap<>();

    final Wrapper raw;

    GuardedObject(Wrapper raw) {
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
        return switch (kind) {
            case PLAIN -> guarded(proxy, invokeRaw(method, args));
            case IDENTITY -> identity(proxy, method, args);
            case UNWRAP -> unwrap(proxy, method, args);
            case OWNER -> owner();
            default -> guarded(proxy, connection().call(kind, this, method, args));
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
        return CallKind.ofConnection(method);
    }

    /** Calls the object behind. */
    final @Nullable Object invokeRaw(Method method, Object... args) throws Throwable {
        try {
            return method.invoke(this.raw, args);
        } catch (InvocationTargetException ex) {
            throw ex.getTargetException();
        }
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
        if (method.getName().equals("isWrapperFor")) {
            return type.isInstance(proxy) || type.isInstance(this.raw) || this.raw.isWrapperFor(type);
        }
        if (type.isInstance(proxy)) {
            return proxy;
        }
        return type.isInstance(this.raw) ? this.raw : this.raw.unwrap(type);
    }

    private @Nullable Object guarded(Object proxy, @Nullable Object answer) {
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
        return answer;
    }

    // Results of metadata have a statement that nobody else sees, or none.
    private static @Nullable Object statementOwner(Object proxy) {
        return (proxy instanceof Statement) ? proxy : null;
    }
}
