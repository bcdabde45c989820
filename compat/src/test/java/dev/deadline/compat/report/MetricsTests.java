package dev.deadline.compat.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.deadline.StepFailedException;
import dev.deadline.Steps;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;

/** Metrics in an application with the actuator. */
class MetricsTests {

    private static final String AUTO_CONFIGURATION = "dev.deadline.autoconfigure.DeadlineMetricsAutoConfiguration";

    @Test
    void measuresStepsInTheRegistryThatBootSetsUp() {
        try (ConfigurableApplicationContext context = start()) {
            Steps steps = context.getBean(Steps.class);
            steps.open("flags").call(() -> "on", failure -> "off");
            assertThatExceptionOfType(StepFailedException.class)
                    .isThrownBy(() -> steps.closed("catalog").call(() -> {
                        throw new IOException("refused");
                    }));

            MeterRegistry registry = context.getBean(MeterRegistry.class);
            assertThat(registry.get("deadline.step")
                            .tags("step", "flags", "outcome", "ok", "reason", "none", "policy", "open")
                            .timer()
                            .count())
                    .isOne();
            assertThat(registry.get("deadline.step")
                            .tags("step", "catalog", "outcome", "failed", "reason", "upstream_error")
                            .timer()
                            .count())
                    .isOne();
            assertThat(registry.get("deadline.inflight").gauge().value()).isZero();
        }
    }

    /** A registry that is made too early misses what Boot adds to it. */
    @Test
    void leavesTheRegistryToBootToFinish() {
        try (ConfigurableApplicationContext context = start()) {
            context.getBean(Steps.class).closed("flags").call(() -> "on");

            MeterRegistry registry = context.getBean(MeterRegistry.class);
            assertThat(registry.get("deadline.step")
                            .tag("region", "here")
                            .timer()
                            .count())
                    .isOne();
            assertThat(registry.get("deadline.inflight").tag("region", "here").gauge())
                    .isNotNull();
        }
    }

    @Test
    void measuresInEachOfSeveralRegistries() {
        try (ConfigurableApplicationContext context = start(Registries.class)) {
            context.getBean(Steps.class).closed("flags").call(() -> "on");

            assertThat(List.of("one", "other"))
                    .map(name -> context.getBean(name, MeterRegistry.class))
                    .allSatisfy(registry -> {
                        assertThat(registry.get("deadline.step").timer().count())
                                .isOne();
                        assertThat(registry.find("deadline.inflight").gauges()).hasSize(1);
                        assertThat(registry.find("deadline.hooks.delayed").functionCounters())
                                .hasSize(1);
                    });
        }
    }

    @Test
    void measuresTheEngineAlthoughBeansAreMadeLate() {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .lazyInitialization(true)
                .run()) {
            assertThat(context.getBean(MeterRegistry.class)
                            .find("deadline.inflight")
                            .gauge())
                    .isNotNull();
        }
    }

    @Test
    void ordersItselfAfterAConfigurationThatExistsOnThisLine() throws Exception {
        AutoConfiguration declared = Class.forName(AUTO_CONFIGURATION).getAnnotation(AutoConfiguration.class);

        List<String> present = Arrays.stream(declared.afterName())
                .filter(name -> ClassUtils.isPresent(name, null))
                .toList();

        assertThat(declared.afterName()).hasSize(2);
        assertThat(present).hasSize(1);
    }

    private static ConfigurableApplicationContext start(Class<?>... more) {
        return new SpringApplicationBuilder(Application.class)
                .sources(more)
                .web(WebApplicationType.NONE)
                .run();
    }

    @EnableAutoConfiguration
    static class Application {

        @Bean
        MeterFilter region() {
            return MeterFilter.commonTags(Tags.of("region", "here"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Registries {

        @Bean
        MeterRegistry one() {
            return new SimpleMeterRegistry();
        }

        @Bean
        MeterRegistry other() {
            return new SimpleMeterRegistry();
        }
    }
}
