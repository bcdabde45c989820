package dev.deadline.compat.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.deadline.Deadlines;
import dev.deadline.compat.webclient.WebClientApplication;
import io.github.resilience4j.bulkhead.BulkheadFullException;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.github.resilience4j.ratelimiter.RequestNotPermitted;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.retry.RetryRegistry;
import io.github.resilience4j.retry.internal.InMemoryRetryRegistry;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Where deadlines are switched off or only observed, all is as Resilience4j does it. */
@EnabledIfSystemProperty(named = "deadline.slow-tests", matches = "true")
@Timeout(60)
class UntouchedTests {

    private static final String WAIT = "150ms";

    private static ConfigurableApplicationContext start(Class<?> configuration, String... properties) {
        String[] all = {
            "resilience4j.retry.instances.own.max-attempts=2",
            "resilience4j.retry.instances.own.wait-duration=" + WAIT,
            "resilience4j.bulkhead.instances.own.max-concurrent-calls=1",
            "resilience4j.bulkhead.instances.own.max-wait-duration=" + WAIT,
            "resilience4j.ratelimiter.instances.own.limit-for-period=1",
            "resilience4j.ratelimiter.instances.own.limit-refresh-period=60s",
            "resilience4j.ratelimiter.instances.own.timeout-duration=" + WAIT
        };
        String[] both = Stream.of(all, properties).flatMap(Arrays::stream).toArray(String[]::new);
        return WebClientApplication.start(configuration, both);
    }

    /** With a deadline of 50 ms where there can be one, that ends none of the longer waits. */
    @ParameterizedTest
    @CsvSource({
        "deadline.resilience4j.enabled=false,false",
        "deadline.enabled=false,false",
        "deadline.mode=observe,true"
    })
    void everyWaitIsAsConfigured(String property, boolean standIns) {
        try (ConfigurableApplicationContext application = start(Configured.class, property)) {
            Deadlines deadlines = application.getBeanProvider(Deadlines.class).getIfAvailable();
            if (deadlines == null) {
                waitsAsConfigured(application);
            } else {
                try (Deadlines.Started started = deadlines.start(Duration.ofMillis(50))) {
                    waitsAsConfigured(application);
                }
            }
            assertThat(Proxy.isProxyClass(
                            application.getBean(RetryRegistry.class).getClass()))
                    .isEqualTo(standIns);
        }
    }

    private static void waitsAsConfigured(ConfigurableApplicationContext application) {
        for (CallForm form : CallForm.values()) {
            CountedUpstream failing = CountedUpstream.failing();
            assertThat(failure(application.getBean(NamedCalls.Retried.class), form, failing))
                    .hasMessage("sick 2");
            assertThat(failing.asked()).isEqualTo(2);
        }
        CountedUpstream upstream = CountedUpstream.answering("done");
        application.getBean(BulkheadRegistry.class).bulkhead("own").acquirePermission();
        assertThat(failure(application.getBean(NamedCalls.Queued.class), CallForm.BLOCKING, upstream))
                .isInstanceOf(BulkheadFullException.class);
        application.getBean(RateLimiterRegistry.class).rateLimiter("own").acquirePermission();
        assertThat(failure(application.getBean(NamedCalls.Limited.class), CallForm.BLOCKING, upstream))
                .isInstanceOf(RequestNotPermitted.class);
        assertThat(upstream.asked()).isZero();
    }

    private static Throwable failure(NamedCalls calls, CallForm form, CountedUpstream upstream) {
        return catchThrowable(() -> GuardedCalls.awaited(NamedCalls.call(calls, form, "own", upstream)));
    }

    /** Somebody may rely on the class. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void registryDeclaredByAClassIsLeftAlone(CapturedOutput output) {
        try (ConfigurableApplicationContext application = start(ByClass.class)) {
            assertThat(application.getBean(RetryRegistry.class)).isSameAs(ByClass.REGISTRY);
            assertThat(output).contains("WARN").contains("What comes from the Resilience4j registry 'retries'");
        }
    }

    @Test
    void registryOfTheApplicationIsBounded() {
        try (ConfigurableApplicationContext application = start(ByInterface.class);
                Deadlines.Started started = application.getBean(Deadlines.class).start(Duration.ofSeconds(10))) {
            CountedUpstream failing = CountedUpstream.failing();
            assertThat(failure(application.getBean(NamedCalls.Retried.class), CallForm.BLOCKING, failing))
                    .hasMessage("sick 1");
            assertThat(failing.asked()).isOne();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Configured {

        @Bean
        NamedCalls.Retried retried() {
            return new NamedCalls.Retried();
        }

        @Bean
        NamedCalls.Queued queued() {
            return new NamedCalls.Queued();
        }

        @Bean
        NamedCalls.Limited limited() {
            return new NamedCalls.Limited();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Configured.class)
    static class ByClass {

        static final InMemoryRetryRegistry REGISTRY = new InMemoryRetryRegistry();

        @Bean
        InMemoryRetryRegistry retries() {
            return REGISTRY;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Configured.class)
    static class ByInterface {

        @Bean
        RetryRegistry retries() {
            return RetryRegistry.of(
                    RetryConfig.custom().waitDuration(Duration.ofSeconds(60)).build());
        }
    }
}
