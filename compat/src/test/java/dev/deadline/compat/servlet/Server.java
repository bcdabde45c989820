package dev.deadline.compat.servlet;

import java.util.stream.Stream;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.util.ClassUtils;

/** The servlet containers that are tested; their factories have other names on each Boot line. */
enum Server {
    TOMCAT(
            "org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory",
            "org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory"),
    JETTY(
            "org.springframework.boot.web.embedded.jetty.JettyServletWebServerFactory",
            "org.springframework.boot.jetty.servlet.JettyServletWebServerFactory");

    private final Class<?> factory;

    Server(String boot3, String boot4) {
        this.factory = ClassUtils.resolveClassName(
                ClassUtils.isPresent(boot3, null) ? boot3 : boot4, Server.class.getClassLoader());
    }

    /** Starts the test application on a free port. */
    RunningApplication start(String... properties) {
        String[] arguments = Stream.concat(
                        // Without the pause that Netty makes when it ends.
                        Stream.of("server.port=0", "spring.reactor.netty.shutdown-quiet-period=0ms"),
                        Stream.of(properties))
                .map(property -> "--" + property)
                .toArray(String[]::new);
        return new RunningApplication(new SpringApplicationBuilder(TestApplication.class)
                .initializers(
                        context -> ((GenericApplicationContext) context).registerBean("webServerFactory", this.factory))
                .run(arguments));
    }
}
