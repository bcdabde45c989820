package dev.deadline.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.Steps;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.report.DeadlineMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.metrics.MetricsAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.metrics.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class DeadlineMetricsAutoConfigurationTests {

    private final ApplicationContextRunner withoutRegistry = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(DeadlineAutoConfiguration.class, DeadlineMetricsAutoConfiguration.class));

    private final ApplicationContextRunner runner = this.withoutRegistry.withConfiguration(AutoConfigurations.of(
            MetricsAutoConfiguration.class,
            SimpleMetricsExportAutoConfiguration.class,
            CompositeMeterRegistryAutoConfiguration.class));

    @Test
    void measuresStepsInTheRegistryOfTheApplication() {
        this.runner.run(context -> {
            context.getBean(Steps.class).closed("flags").call(() -> "on");

            MeterRegistry registry = context.getBean(MeterRegistry.class);
            assertThat(registry.get("deadline.step")
                            .tag("step", "flags")
                            .timer()
                            .count())
                    .isOne();
            assertThat(registry.get("deadline.inflight").gauge().value()).isZero();
        });
    }

    @Test
    void backsOffForTheUsersOwn() {
        DeadlineMetrics own = new DeadlineMetrics(new SimpleMeterRegistry());
        MeterBinder ownGauge = registry -> {};
        this.runner
                .withBean(DeadlineMetrics.class, () -> own)
                .withBean("deadlineInFlightGauge", MeterBinder.class, () -> ownGauge)
                .run(context -> {
                    assertThat(context).getBean(DeadlineMetrics.class).isSameAs(own);
                    assertThat(context).getBean("deadlineInFlightGauge").isSameAs(ownGauge);
                });
    }

    @Test
    void isAbsentWithoutMicrometer() {
        this.withoutRegistry
                .withClassLoader(new FilteredClassLoader("io.micrometer.core"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(DeadlineEngine.class)
                        .doesNotHaveBean("deadlineMetrics")
                        .doesNotHaveBean("deadlineInFlightGauge"));
    }

    @Test
    void isAbsentWithoutARegistry() {
        this.withoutRegistry.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(DeadlineMetrics.class));
    }

    @Test
    void isAbsentWhenSwitchedOff() {
        this.runner
                .withPropertyValues("deadline.enabled=false")
                .run(context -> assertThat(context)
                        .doesNotHaveBean(DeadlineMetrics.class)
                        .doesNotHaveBean("deadlineInFlightGauge"));
    }
}
