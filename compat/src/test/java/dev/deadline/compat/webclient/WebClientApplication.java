package dev.deadline.compat.webclient;

import java.time.Duration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;

/** An application that has a WebClient, and no web server. */
public final class WebClientApplication {

    private WebClientApplication() {}

    public static ConfigurableApplicationContext start(String... properties) {
        return start(Configured.class, properties);
    }

    /** One that others may be stopped beside: an application takes the threads of Netty that all use away with it. */
    public static ConfigurableApplicationContext startWithThreadsOfItsOwn() {
        return start(Isolated.class);
    }

    public static ConfigurableApplicationContext start(Class<?> configuration, String... properties) {
        return new SpringApplicationBuilder(configuration)
                .web(WebApplicationType.NONE)
                .properties(properties)
                .properties(
                        "spring.main.banner-mode=off",
                        "spring.reactor.netty.shutdown-quiet-period=100ms",
                        // No test is about all that Boot sets up, and there are many.
                        "spring.main.lazy-initialization=true")
                .run();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Configured {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Isolated {

        @Bean
        ReactorResourceFactory reactorResources() {
            ReactorResourceFactory resources = new ReactorResourceFactory();
            resources.setUseGlobalResources(false);
            resources.setShutdownQuietPeriod(Duration.ZERO);
            return resources;
        }
    }
}
