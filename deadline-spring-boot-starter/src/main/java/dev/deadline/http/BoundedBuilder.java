package dev.deadline.http;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.web.client.RestClient;

/**
 * A builder of clients that are bounded when they are built, so that a request factory that is set later is as well.
 * A proxy, because the interface differs between the releases of Spring.
 */
final class BoundedBuilder implements InvocationHandler {

    private final RestClient.Builder delegate;

    private final BlockingClients clients;

    BoundedBuilder(RestClient.Builder delegate, BlockingClients clients) {
        this.delegate = delegate;
        this.clients = clients;
    }

    static boolean isOne(RestClient.Builder builder) {
        return Proxy.isProxyClass(builder.getClass()) && Proxy.getInvocationHandler(builder) instanceof BoundedBuilder;
    }

    @Override
    @SuppressWarnings("unchecked")
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        switch (method.getName()) {
            case "equals":
                return arguments != null && proxy == arguments[0];
            case "hashCode":
                return System.identityHashCode(proxy);
            case "apply":
                if (arguments != null && arguments[0] instanceof Consumer<?> consumer) {
                    ((Consumer<Object>) consumer).accept(proxy);
                    return proxy;
                }
                break;
            default:
        }
        Object result = invoke(method, arguments);
        if (result == this.delegate) {
            return proxy;
        }
        if (result instanceof RestClient.Builder copy) {
            return this.clients.bound(copy);
        }
        return (result instanceof RestClient client) ? this.clients.bound(client) : result;
    }

    private @Nullable Object invoke(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(this.delegate, arguments);
        } catch (InvocationTargetException ex) {
            throw ex.getTargetException();
        }
    }
}
