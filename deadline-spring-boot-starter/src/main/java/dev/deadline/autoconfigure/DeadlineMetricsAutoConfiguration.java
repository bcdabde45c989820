package dev.deadline.autoconfigure;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.report.DeadlineMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * Metrics, where there is a meter registry, of several a primary one, as with the actuator. The engine is watched once all
 * beans are there, as it is made with the other meters already at hand.
 *
 * @since 0.1
 */
@AutoConfiguration(
        after = DeadlineAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnDeadlineEnabled
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnSingleCandidate(MeterRegistry.class)
public final class DeadlineMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    DeadlineMetrics deadlineMetrics(MeterRegistry registry) {
        return new DeadlineMetrics(registry);
    }

    // Not as binders, which only the actuator looks for.
    @Bean
    SmartInitializingSingleton deadlineEngineMeters(DeadlineMetrics metrics, DeadlineEngine engine) {
        return () -> metrics.watch(engine);
    }
}
