package dev.deadline.compat.resilience4j;

import dev.deadline.compat.webclient.WebClientApplication;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/** An application with {@link GuardedCalls}, whose guards let everything pass unless properties say otherwise. */
final class ResilienceApplication {

    private ResilienceApplication() {}

    static ConfigurableApplicationContext start(String... properties) {
        // Apache's client would make attempts of its own.
        String[] all = Stream.concat(
                        Stream.of(properties),
                        Stream.of("spring.http.client.factory=jdk", "spring.http.clients.imperative.factory=jdk"))
                .toArray(String[]::new);
        return WebClientApplication.start(Configured.class, all);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Configured {

        @Bean
        GuardedCalls guardedCalls(RestClient.Builder rest, WebClient.Builder web) {
            return new GuardedCalls(rest, web);
        }
    }
}
