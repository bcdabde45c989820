package dev.deadline.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.Steps;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.report.DeadlineMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
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
    void measuresTheEngineToo() {
        this.runner.run(context -> assertThat(ofEngine(context.getBean(MeterRegistry.class)))
                .containsExactlyInAnyOrder("deadline.inflight", "deadline.hooks.delayed"));
    }

    /** Only the actuator looks for binders. */
    @Test
    void measuresTheEngineWhereThereIsARegistryWithoutTheActuator() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        this.withoutRegistry
                .withBean(MeterRegistry.class, () -> registry)
                .run(context -> assertThat(ofEngine(registry))
                        .containsExactlyInAnyOrder("deadline.inflight", "deadline.hooks.delayed"));
    }

    @Test
    void measuresTheEngineInEachRegistryOfTheActuator() {
        List<SimpleMeterRegistry> registries = List.of(new SimpleMeterRegistry(), new SimpleMeterRegistry());
        this.runner
                .withBean("one", MeterRegistry.class, () -> registries.get(0))
                .withBean("other", MeterRegistry.class, () -> registries.get(1))
                .run(context -> assertThat(registries)
                        .allSatisfy(registry -> assertThat(ofEngine(registry))
                                .containsExactlyInAnyOrder("deadline.inflight", "deadline.hooks.delayed")));
    }

    @Test
    void measuresInThePrimaryOfSeveralRegistries() {
        SimpleMeterRegistry primary = new SimpleMeterRegistry();
        SimpleMeterRegistry other = new SimpleMeterRegistry();
        this.withoutRegistry
                .withBean("other", MeterRegistry.class, () -> other)
                .withBean("primary", MeterRegistry.class, () -> primary, definition -> definition.setPrimary(true))
                .run(context -> {
                    assertThat(context).hasSingleBean(DeadlineMetrics.class);
                    assertThat(ofEngine(primary)).isNotEmpty();
                    assertThat(ofEngine(other)).isEmpty();
                });
    }

    @Test
    void doesNotChooseBetweenRegistries() {
        this.withoutRegistry
                .withBean("one", MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean("other", MeterRegistry.class, SimpleMeterRegistry::new)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(DeadlineMetrics.class));
    }

    private static List<String> ofEngine(MeterRegistry registry) {
        return registry.getMeters().stream()
                .map(meter -> meter.getId().getName())
                .filter(name -> name.equals("deadline.inflight") || name.equals("deadline.hooks.delayed"))
                .toList();
    }

    @Test
    void backsOffForTheUsersOwn() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        DeadlineMetrics own = new DeadlineMetrics(registry);
        this.runner.withBean(DeadlineMetrics.class, () -> own).run(context -> {
            assertThat(context).getBean(DeadlineMetrics.class).isSameAs(own);
            assertThat(ofEngine(registry)).hasSize(2);
            assertThat(ofEngine(context.getBean(MeterRegistry.class))).isEmpty();
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
                        .doesNotHaveBean("deadlineEngineMeters"));
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
                        .doesNotHaveBean("deadlineEngineMeters"));
    }
}
