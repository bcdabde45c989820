package dev.deadline.compat.gateway;

import java.lang.reflect.Array;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;
import org.apache.catalina.connector.Connector;
import org.springframework.boot.web.server.WebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.util.ClassUtils;

/** Customizers of Tomcat, whose types have other names on each Boot line. */
final class Connectors {

    private Connectors() {}

    /** What an application does that sets something about the connector. */
    static WebServerFactoryCustomizer<WebServerFactory> customized(Consumer<Connector> action) {
        Class<?> type = either(
                "org.springframework.boot.web.embedded.tomcat.TomcatConnectorCustomizer",
                "org.springframework.boot.tomcat.TomcatConnectorCustomizer");
        Object customizer =
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().equals("customize")) {
                        action.accept((Connector) arguments[0]);
                        return null;
                    }
                    return method.getName().equals("hashCode") ? System.identityHashCode(proxy) : proxy == arguments[0];
                });
        Object customizers = Array.newInstance(type, 1);
        Array.set(customizers, 0, customizer);
        return factory -> ReflectionTestUtils.invokeMethod(factory, "addConnectorCustomizers", customizers);
    }

    /** What an application does that sets its own protocol. */
    static WebServerFactoryCustomizer<WebServerFactory> speaking(Class<?> protocol) {
        return factory -> ReflectionTestUtils.invokeMethod(factory, "setProtocol", protocol.getName());
    }

    /** The factory that an application makes itself. */
    static Class<?> factory() {
        return either(
                "org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory",
                "org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory");
    }

    private static Class<?> either(String boot3, String boot4) {
        return ClassUtils.resolveClassName(
                ClassUtils.isPresent(boot3, null) ? boot3 : boot4, Connectors.class.getClassLoader());
    }
}
