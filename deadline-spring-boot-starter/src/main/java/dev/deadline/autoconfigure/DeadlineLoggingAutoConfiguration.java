package dev.deadline.autoconfigure;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.MonotonicClock;
import dev.deadline.engine.Nanos;
import dev.deadline.report.GateLog;
import dev.deadline.report.InboundLog;
import dev.deadline.report.OverrunLog;
import dev.deadline.report.TimeoutLog;
import dev.deadline.report.UnboundedCallLog;
import org.slf4j.spi.LoggingEventBuilder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Log events, where there is SLF4J 2.
 *
 * @since 0.1
 */
@AutoConfiguration
@ConditionalOnDeadlineEnabled
@ConditionalOnClass(LoggingEventBuilder.class)
public final class DeadlineLoggingAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    TimeoutLog deadlineTimeoutLog() {
        return new TimeoutLog();
    }

    @Bean
    @ConditionalOnMissingBean
    OverrunLog deadlineOverrunLog(DeadlineProperties properties) {
        return new OverrunLog(
                MonotonicClock.SYSTEM, Nanos.of(properties.watchdog().grace()));
    }

    @Bean
    @ConditionalOnMissingBean
    InboundLog deadlineInboundLog() {
        return new InboundLog(MonotonicClock.SYSTEM);
    }

    @Bean
    @ConditionalOnMissingBean
    GateLog deadlineGateLog(ObjectProvider<DeadlineEngine> engine) {
        // Looked up late, as the engine is made with the log already at hand.
        return new GateLog(
                MonotonicClock.SYSTEM, (delayNanos, task) -> engine.getObject().schedule(delayNanos, task));
    }

    @Bean
    @ConditionalOnMissingBean
    UnboundedCallLog deadlineUnboundedCallLog() {
        return new UnboundedCallLog();
    }

    @Bean
    UnboundedCallLogStart deadlineUnboundedCallLogStart(UnboundedCallLog log) {
        return new UnboundedCallLogStart(log);
    }
}
