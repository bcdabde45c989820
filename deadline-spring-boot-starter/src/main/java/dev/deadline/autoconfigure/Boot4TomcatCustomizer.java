package dev.deadline.autoconfigure;

import dev.deadline.gateway.StampingProtocol;
import dev.deadline.gateway.TomcatQueue;
import org.springframework.boot.tomcat.TomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.Ordered;

/** Gives Tomcat the protocol that stamps, unless the application has one of its own. Before others, so that theirs counts. */
final class Boot4TomcatCustomizer implements WebServerFactoryCustomizer<TomcatWebServerFactory>, Ordered {

    private final TomcatQueue queue;

    Boot4TomcatCustomizer(TomcatQueue queue) {
        this.queue = queue;
    }

    @Override
    public void customize(TomcatWebServerFactory factory) {
        if (TomcatWebServerFactory.DEFAULT_PROTOCOL.equals(factory.getProtocol())) {
            factory.setProtocol(StampingProtocol.class.getName());
        }
        factory.addConnectorCustomizers(connector -> this.queue.follow(connector.getProtocolHandler()));
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }
}
