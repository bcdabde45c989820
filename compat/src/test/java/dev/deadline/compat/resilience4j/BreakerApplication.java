package dev.deadline.compat.resilience4j;

import dev.deadline.compat.webclient.WebClientApplication;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.event.CircuitBreakerEvent;
import io.github.resilience4j.core.registry.EntryAddedEvent;
import io.github.resilience4j.core.registry.EntryRemovedEvent;
import io.github.resilience4j.core.registry.EntryReplacedEvent;
import io.github.resilience4j.core.registry.RegistryEventConsumer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application with {@link BreakerCalls}, whose breakers stay closed whatever happens, and permit three calls half-open. */
final class BreakerApplication {

    static final int PERMITTED = 3;

    private static final String DEFAULT = "resilience4j.circuitbreaker.configs.default.";

    private BreakerApplication() {}

    static ConfigurableApplicationContext start(String... properties) {
        Stream<String> own = Stream.of(
                DEFAULT + "minimum-number-of-calls=100",
                DEFAULT + "permitted-number-of-calls-in-half-open-state=" + PERMITTED,
                "spring.http.client.factory=jdk",
                "spring.http.clients.imperative.factory=jdk");
        return WebClientApplication.start(
                Configured.class, Stream.concat(own, Stream.of(properties)).toArray(String[]::new));
    }

    /** Hears, through the registry, what every breaker says of calls. */
    static final class Listener implements RegistryEventConsumer<CircuitBreaker> {

        private final List<CircuitBreakerEvent> heard = new CopyOnWriteArrayList<>();

        List<CircuitBreakerEvent> heard() {
            return this.heard;
        }

        @Override
        public void onEntryAddedEvent(EntryAddedEvent<CircuitBreaker> added) {
            listenTo(added.getAddedEntry(), this.heard);
        }

        @Override
        public void onEntryRemovedEvent(EntryRemovedEvent<CircuitBreaker> removed) {}

        @Override
        public void onEntryReplacedEvent(EntryReplacedEvent<CircuitBreaker> replaced) {}

        /** Has events about calls added to a list. */
        static void listenTo(CircuitBreaker breaker, List<CircuitBreakerEvent> heard) {
            breaker.getEventPublisher()
                    .onSuccess(heard::add)
                    .onError(heard::add)
                    .onIgnoredError(heard::add)
                    .onCallNotPermitted(heard::add);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Configured {

        @Bean
        BreakerCalls breakerCalls() {
            return new BreakerCalls();
        }

        @Bean
        BreakerCalls.OfStep breakerCallsOfStep() {
            return new BreakerCalls.OfStep();
        }

        @Bean
        BreakerFallbackCalls breakerFallbackCalls() {
            return new BreakerFallbackCalls();
        }

        @Bean
        Listener listener() {
            return new Listener();
        }
    }
}
