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

    private static final String GRACE = "deadline.watchdog.grace=";

    private final Class<?> factory;

    Server(String boot3, String boot4) {
        this.factory = ClassUtils.resolveClassName(
                ClassUtils.isPresent(boot3, null) ? boot3 : boot4, Server.class.getClassLoader());
    }

    /** Starts the test application on a free port. Unless told otherwise nobody else answers for a handler. */
    RunningApplication start(String... properties) {
        Stream<String> defaults = Stream.of(
                "server.port=0",
                // Without the pause that Netty makes when it ends.
                "spring.reactor.netty.shutdown-quiet-period=0ms",
                // A busy machine holds a thread up for longer than the default, which is for tests of the last resort.
                GRACE + "10s");
        boolean graceful = Stream.of(properties).noneMatch(property -> property.startsWith(GRACE));
        String[] arguments = Stream.concat(
                        defaults.filter(property -> graceful || !property.startsWith(GRACE)), Stream.of(properties))
                .map(property -> "--" + property)
                .toArray(String[]::new);
        return new RunningApplication(new SpringApplicationBuilder(TestApplication.class)
                .initializers(
                        context -> ((GenericApplicationContext) context).registerBean("webServerFactory", this.factory))
                .run(arguments));
    }
}
