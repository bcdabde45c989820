package dev.deadline.autoconfigure;

import dev.deadline.gateway.StampingProtocol;
import dev.deadline.gateway.TomcatQueue;
import java.lang.reflect.Field;
import org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.Ordered;
import org.springframework.util.ReflectionUtils;

/** Gives Tomcat the protocol that stamps, unless the application has one of its own. Before others, so that theirs counts. */
final class Boot3TomcatCustomizer implements WebServerFactoryCustomizer<TomcatServletWebServerFactory>, Ordered {

    /** What the factory does not tell otherwise. */
    static final String PROTOCOL = "protocol";

    private final TomcatQueue queue;

    Boot3TomcatCustomizer(TomcatQueue queue) {
        this.queue = queue;
    }

    @Override
    public void customize(TomcatServletWebServerFactory factory) {
        Field protocol = ReflectionUtils.findField(TomcatServletWebServerFactory.class, PROTOCOL, String.class);
        if (protocol != null) {
            ReflectionUtils.makeAccessible(protocol);
            if (TomcatServletWebServerFactory.DEFAULT_PROTOCOL.equals(ReflectionUtils.getField(protocol, factory))) {
                factory.setProtocol(StampingProtocol.class.getName());
            }
        }
        factory.addConnectorCustomizers(connector -> this.queue.follow(connector.getProtocolHandler()));
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }
}
