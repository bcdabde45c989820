package dev.deadline.compat.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.deadline.DeadlineExceededException;
import dev.deadline.Deadlines;
import dev.deadline.Reason;
import dev.deadline.compat.webclient.WebClientApplication;
import dev.deadline.engine.DeadlineEngine;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.bulkhead.ThreadPoolBulkheadRegistry;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.common.circuitbreaker.configuration.CircuitBreakerConfigCustomizer;
import io.github.resilience4j.common.retry.configuration.RetryConfigCustomizer;
import io.github.resilience4j.core.ConfigurationNotFoundException;
import io.github.resilience4j.core.registry.EntryAddedEvent;
import io.github.resilience4j.core.registry.EntryRemovedEvent;
import io.github.resilience4j.core.registry.EntryReplacedEvent;
import io.github.resilience4j.core.registry.RegistryEventConsumer;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.retry.RetryRegistry;
import io.github.resilience4j.timelimiter.TimeLimiterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wherever an entry of a registry comes from, it is bounded, and the registry is used as it is without deadlines. */
@Timeout(60)
class RegistriesTests {

    private static final Duration LONG = Duration.ofSeconds(60);

    private static final List<String> CHANGES = new CopyOnWriteArrayList<>();

    private static ConfigurableApplicationContext application;

    private static RetryRegistry retries;

    private static CircuitBreakerRegistry breakers;

    @BeforeAll
    static void start() {
        application = WebClientApplication.start(
                Configured.class,
                "resilience4j.retry.configs.default.max-attempts=7",
                "resilience4j.retry.configs.default.wait-duration=60s",
                "resilience4j.retry.configs.shared.max-attempts=5",
                "resilience4j.retry.configs.shared.wait-duration=60s",
                "resilience4j.retry.instances.own.max-attempts=4",
                "resilience4j.retry.instances.own.wait-duration=60s",
                "resilience4j.retry.instances.shared.base-config=shared",
                "resilience4j.retry.instances.customized.wait-duration=60s",
                "resilience4j.retry.tags.team=flags",
                "resilience4j.circuitbreaker.instances.own.minimum-number-of-calls=3",
                "resilience4j.circuitbreaker.instances.customized.minimum-number-of-calls=3",
                "resilience4j.bulkhead.instances.own.max-concurrent-calls=3",
                "resilience4j.thread-pool-bulkhead.instances.own.max-thread-pool-size=3",
                "resilience4j.thread-pool-bulkhead.instances.own.core-thread-pool-size=1",
                "resilience4j.ratelimiter.instances.own.limit-for-period=3",
                "resilience4j.timelimiter.instances.own.timeout-duration=60s");
        retries = application.getBean(RetryRegistry.class);
        breakers = application.getBean(CircuitBreakerRegistry.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    /** Nobody waits any more, so that all that knows of deadlines says so. */
    private static void isBounded(Callable<?> call) {
        try (Deadlines.Started started = application.getBean(Deadlines.class).start(LONG)) {
            DeadlineEngine.currentScope().cancel(Reason.CLIENT_ABORT);
            assertThatExceptionOfType(DeadlineExceededException.class)
                    .isThrownBy(() -> GuardedCalls.awaited(call.call()));
        }
    }

    /** Neither the pause of a minute nor another attempt begins. */
    private static void isBounded(Retry retry) {
        CountedUpstream upstream = CountedUpstream.failing();
        try (Deadlines.Started started = application.getBean(Deadlines.class).start(Duration.ofSeconds(10))) {
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> retry.executeSupplier(upstream::ask))
                    .withMessage("sick 1");
            assertThat(started.deadline().remaining()).isGreaterThan(Duration.ofSeconds(5));
        }
        assertThat(retry.getRetryConfig().getMaxAttempts()).isGreaterThan(1);
    }

    @Test
    void entriesOfThePropertiesAreBounded() {
        Retry own = retries.retry("own");
        Retry shared = retries.retry("shared");

        assertThat(own.getRetryConfig().getMaxAttempts()).isEqualTo(4);
        assertThat(shared.getRetryConfig().getMaxAttempts()).isEqualTo(5);
        isBounded(own);
        isBounded(shared);
        isBounded(() -> breakers.circuitBreaker("own").tryAcquirePermission());
        Bulkhead bulkhead = application.getBean(BulkheadRegistry.class).bulkhead("own");
        assertThat(bulkhead.getBulkheadConfig().getMaxConcurrentCalls()).isEqualTo(3);
        isBounded(bulkhead::tryAcquirePermission);
        isBounded(() -> application
                .getBean(ThreadPoolBulkheadRegistry.class)
                .bulkhead("own")
                .submit(() -> "never"));
        isBounded(() -> application
                .getBean(RateLimiterRegistry.class)
                .rateLimiter("own")
                .acquirePermission());
        isBounded(application
                .getBean(TimeLimiterRegistry.class)
                .timeLimiter("own")
                .decorateFutureSupplier(() -> CompletableFuture.completedFuture("never")));
    }

    @Test
    void entriesOnTheFlyAreBounded() {
        isBounded(() -> breakers.circuitBreaker("fly").tryAcquirePermission());
        isBounded(() ->
                application.getBean(BulkheadRegistry.class).bulkhead("fly").tryAcquirePermission());
        isBounded(() -> application
                .getBean(ThreadPoolBulkheadRegistry.class)
                .bulkhead("fly")
                .submit(() -> "never"));
        isBounded(() -> application
                .getBean(RateLimiterRegistry.class)
                .rateLimiter("fly")
                .acquirePermission());
        isBounded(application
                .getBean(TimeLimiterRegistry.class)
                .timeLimiter("fly")
                .decorateFutureSupplier(() -> CompletableFuture.completedFuture("never")));
    }

    @Test
    void retriesAreBoundedHoweverTheyAreMade() {
        RetryConfig config =
                RetryConfig.custom().maxAttempts(3).waitDuration(LONG).build();
        Map<String, String> tags = Map.of("kind", "made");
        List<Retry> made = List.of(
                retries.retry("by-default"),
                retries.retry("by-default-with-tags", tags),
                retries.retry("by-config", config),
                retries.retry("by-config-with-tags", config, tags),
                retries.retry("by-supplier", () -> config),
                retries.retry("by-supplier-with-tags", () -> config, tags),
                retries.retry("by-name", "shared"),
                retries.retry("by-name-with-tags", "shared", tags));

        assertThat(made)
                .allSatisfy(RegistriesTests::isBounded)
                .extracting(retry -> retry.getRetryConfig().getMaxAttempts())
                .containsExactly(7, 7, 3, 3, 3, 3, 5, 5);
        assertThat(made)
                .allSatisfy(retry -> assertThat(retry.getTags()).containsEntry("team", "flags"))
                .filteredOn(retry -> "made".equals(retry.getTags().get("kind")))
                .hasSize(4);
    }

    @Test
    void unknownConfigurationIsToldOfAsResilience4jTells() {
        assertThatExceptionOfType(ConfigurationNotFoundException.class)
                .isThrownBy(() -> retries.retry("fails", "no such"))
                .withMessageContaining("no such");
        assertThat(retries.find("fails")).isEmpty();
    }

    @Test
    void twoLookUpsGiveTheSame() {
        assertThat(retries.retry("own"))
                .isSameAs(retries.retry("own"))
                .isSameAs(retries.find("own").orElseThrow());
        assertThat(breakers.circuitBreaker("own")).isSameAs(breakers.circuitBreaker("own", "default"));
    }

    @Test
    void whatIsFoundReplacedOrListedIsBounded() {
        RetryConfig config =
                RetryConfig.custom().maxAttempts(2).waitDuration(LONG).build();
        Retry first = retries.retry("changing", config);
        assertThat(retries.getAllRetries()).contains(first);
        assertThat(retries.getAllRetries())
                .filteredOn(retry -> retry.getName().equals("own"))
                .allSatisfy(RegistriesTests::isBounded);
        CHANGES.clear();

        Retry second = retries.retry("another", config);
        assertThat(retries.replace("changing", second)).containsSame(first);
        assertThat(retries.find("changing")).hasValueSatisfying(RegistriesTests::isBounded);
        assertThat(retries.remove("changing")).hasValueSatisfying(RegistriesTests::isBounded);
        assertThat(retries.find("changing")).isEmpty();
        assertThat(retries.remove("changing")).isEmpty();
        retries.addConfiguration("added", config);
        isBounded(retries.retry("changing", "added"));

        assertThat(CHANGES).containsExactly("added another", "replaced changing", "removed another", "added changing");
    }

    @Test
    void consumersOfTheRegistrysEventsHearOfWhatIsAdded() {
        List<String> added = new CopyOnWriteArrayList<>();
        retries.getEventPublisher()
                .onEntryAdded(event -> added.add(event.getAddedEntry().getName()));

        retries.retry("heard-of");

        assertThat(added).containsExactly("heard-of");
        assertThat(CHANGES).contains("added own", "added heard-of");
    }

    /** Those that a consumer got hold of, when the application started, tell of all calls. */
    @Test
    void consumersThatListenToEntriesHearTheirEvents() {
        int heard = Configured.RETRIED.size();

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> retries.retry(
                                "customized",
                                RetryConfig.custom().waitDuration(LONG).build())
                        .executeSupplier(CountedUpstream.failing()::ask));

        assertThat(Configured.RETRIED).hasSize(heard + 1);
    }

    @Test
    void customizersKeepTheirEffect() {
        assertThat(retries.retry("customized").getRetryConfig().getMaxAttempts())
                .isEqualTo(2);
        assertThat(breakers.circuitBreaker("customized")
                        .getCircuitBreakerConfig()
                        .getMinimumNumberOfCalls())
                .isEqualTo(42);
        assertThat(breakers.circuitBreaker("customized")
                        .getCircuitBreakerConfig()
                        .getRecordExceptionPredicate()
                        .test(new IllegalArgumentException()))
                .isFalse();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Configured {

        static final List<String> RETRIED = new CopyOnWriteArrayList<>();

        @Bean
        RetryConfigCustomizer twice() {
            return RetryConfigCustomizer.of(
                    "customized", builder -> builder.maxAttempts(2).intervalFunction(attempt -> 1L));
        }

        @Bean
        CircuitBreakerConfigCustomizer late() {
            return CircuitBreakerConfigCustomizer.of(
                    "customized",
                    builder -> builder.minimumNumberOfCalls(42)
                            .recordException(failure -> !(failure instanceof IllegalArgumentException)));
        }

        @Bean
        RegistryEventConsumer<Retry> changes() {
            return new RegistryEventConsumer<>() {

                @Override
                public void onEntryAddedEvent(EntryAddedEvent<Retry> added) {
                    CHANGES.add("added " + added.getAddedEntry().getName());
                    added.getAddedEntry().getEventPublisher().onRetry(event -> RETRIED.add(event.getName()));
                }

                @Override
                public void onEntryRemovedEvent(EntryRemovedEvent<Retry> removed) {
                    CHANGES.add("removed " + removed.getRemovedEntry().getName());
                }

                @Override
                public void onEntryReplacedEvent(EntryReplacedEvent<Retry> replaced) {
                    CHANGES.add("replaced " + replaced.getOldEntry().getName());
                }
            };
        }

        @Bean
        RegistryEventConsumer<CircuitBreaker> none() {
            return new BreakerApplication.Listener();
        }
    }
}
