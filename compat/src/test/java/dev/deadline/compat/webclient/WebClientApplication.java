package dev.deadline.compat.webclient;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** An application that has a WebClient, and no web server. */
public final class WebClientApplication {

    private WebClientApplication() {}

    public static ConfigurableApplicationContext start(String... properties) {
        return start(Configured.class, properties);
    }

    public static ConfigurableApplicationContext start(Class<?> configuration, String... properties) {
        return new SpringApplicationBuilder(configuration)
                .web(WebApplicationType.NONE)
                .properties(properties)
                .properties("spring.main.banner-mode=off", "spring.reactor.netty.shutdown-quiet-period=100ms")
                .run();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Configured {}
}
