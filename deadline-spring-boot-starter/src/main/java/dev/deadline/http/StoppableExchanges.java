package dev.deadline.http;

import dev.deadline.engine.Scope;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.ClientHttpRequest;

/** Knows Spring's requests by the names of their classes, as any of the clients may be absent. */
final class StoppableExchanges {

    private static final Log logger = LogFactory.getLog(StoppableExchanges.class);

    private static final String SPRING = "org.springframework.http.client.";

    private static final Set<Class<?>> UNKNOWN = ConcurrentHashMap.newKeySet();

    private StoppableExchanges() {}

    static StoppableExchange of(ClientHttpRequest request, Scope scope) {
        StoppableExchange known = known(request, scope);
        return (known != null) ? known : new BodyClosingExchange(true);
    }

    private static @Nullable StoppableExchange known(ClientHttpRequest request, Scope scope) {
        Class<?> type = request.getClass();
        String name = type.getName();
        if (name.startsWith(SPRING)) {
            switch (name.substring(SPRING.length())) {
                case "JdkClientHttpRequest":
                    return new BodyClosingExchange(false);
                case "HttpComponentsClientHttpRequest":
                    return HttpComponentsExchange.of(request);
                case "JettyClientHttpRequest":
                    return JettyExchange.of(request);
                case "ReactorClientHttpRequest":
                    return new ReactorExchange(scope);
                case "SimpleClientHttpRequest":
                    return SimpleExchange.of(request);
                default:
            }
        }
        if (UNKNOWN.add(type)) {
            logger.info("Calls made with " + name + " are stopped by an interrupt and by closing the body, and only as"
                    + " far as their client heeds these.");
        }
        return null;
    }
}
