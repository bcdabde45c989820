package dev.deadline.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.resilience4j.BoundedRegistries;
import dev.deadline.resilience4j.ReactiveAspects;
import dev.deadline.resilience4j.TimelyFallbacks;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.bulkhead.ThreadPoolBulkheadRegistry;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.github.resilience4j.retry.RetryRegistry;
import io.github.resilience4j.timelimiter.TimeLimiterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class DeadlineResilience4jAutoConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DeadlineAutoConfiguration.class,
                    DeadlinePropagationAutoConfiguration.class,
                    DeadlineResilience4jAutoConfiguration.class))
            .withUserConfiguration(Registries.class);

    @Configuration(proxyBeanMethods = false)
    static class Registries {

        @Bean
        RetryRegistry retries() {
            return RetryRegistry.ofDefaults();
        }
    }

    static List<Object> registries() {
        return List.of(
                RetryRegistry.ofDefaults(),
                CircuitBreakerRegistry.ofDefaults(),
                BulkheadRegistry.ofDefaults(),
                ThreadPoolBulkheadRegistry.ofDefaults(),
                RateLimiterRegistry.ofDefaults(),
                TimeLimiterRegistry.ofDefaults());
    }

    @ParameterizedTest
    @MethodSource("registries")
    void nativeImageKeepsTheProxyOfRegistry(Object registry) {
        RuntimeHints hints = new RuntimeHints();
        new RegistryHints().registerHints(hints, null);

        Object bounded = new BoundedRegistries(false).bounded(registry);

        assertThat(bounded).isNotSameAs(registry);
        assertThat(RuntimeHintsPredicates.proxies()
                        .forInterfaces(bounded.getClass().getInterfaces()))
                .accepts(hints);
    }

    @Test
    void boundsRegistriesAndAnnotations() {
        this.runner.run(context -> {
            assertThat(context)
                    .hasNotFailed()
                    .hasSingleBean(TimelyFallbacks.class)
                    .hasSingleBean(ReactiveAspects.OfRetry.class);
            assertThat(context.getBean(RetryRegistry.class)
                            .retry("some")
                            .getClass()
                            .getSimpleName())
                    .isEqualTo("BoundedRetry");
        });
    }

    @Test
    void boundsRegistriesWithoutAspectJ() {
        this.runner.withClassLoader(new FilteredClassLoader("org.aspectj")).run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(TimelyFallbacks.class);
            assertThat(context.getBean(RetryRegistry.class)
                            .retry("some")
                            .getClass()
                            .getSimpleName())
                    .isEqualTo("BoundedRetry");
        });
    }

    @Test
    void boundsAnnotationsWithoutReactor() {
        this.runner
                .withClassLoader(new FilteredClassLoader("reactor.core", "io.github.resilience4j.reactor"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(TimelyFallbacks.class)
                        .doesNotHaveBean(ReactiveAspects.OfRetry.class));
    }

    @Test
    void boundsAnnotationsWithoutOperatorsForReactor() {
        this.runner
                .withClassLoader(new FilteredClassLoader("io.github.resilience4j.reactor"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(TimelyFallbacks.class)
                        .doesNotHaveBean(ReactiveAspects.OfRetry.class));
    }

    @Test
    void startsWithTheCoreModulesAlone() {
        this.runner
                .withClassLoader(
                        new FilteredClassLoader("io.github.resilience4j.spring6", "io.github.resilience4j.reactor"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(RegistryPostProcessor.class));
    }

    @Test
    void startsWithoutResilience4j() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DeadlineAutoConfiguration.class, DeadlineResilience4jAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader("io.github.resilience4j"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(RegistryPostProcessor.class));
    }

    @Test
    void leavesRegistriesAloneWhenSwitchedOff() {
        this.runner
                .withPropertyValues("deadline.resilience4j.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(RegistryPostProcessor.class));
        this.runner
                .withPropertyValues("deadline.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(RegistryPostProcessor.class));
    }
}
