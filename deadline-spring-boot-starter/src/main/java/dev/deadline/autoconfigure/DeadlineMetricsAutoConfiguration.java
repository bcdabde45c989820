package dev.deadline.autoconfigure;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.report.DeadlineMetrics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Metrics, where there is a meter registry. The gauge is a bean of its own, as the engine is made with the other
 * meters already at hand.
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
@ConditionalOnBean(MeterRegistry.class)
public final class DeadlineMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    DeadlineMetrics deadlineMetrics(MeterRegistry registry) {
        return new DeadlineMetrics(registry);
    }

    @Bean
    @ConditionalOnMissingBean(name = "deadlineInFlightGauge")
    MeterBinder deadlineInFlightGauge(DeadlineEngine engine) {
        return registry -> Gauge.builder("deadline.inflight", engine, DeadlineEngine::inFlight)
                .description("Requests that have begun and not ended")
                .register(registry);
    }

    @Bean
    @ConditionalOnMissingBean(name = "deadlineDelayedHooksCounter")
    MeterBinder deadlineDelayedHooksCounter(DeadlineEngine engine) {
        return registry -> FunctionCounter.builder("deadline.hooks.delayed", engine, DeadlineEngine::delayedHooks)
                .description("Times that cancel hooks had to wait because every thread for them was busy")
                .register(registry);
    }
}
