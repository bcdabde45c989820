package dev.deadline.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.MonotonicClock;
import dev.deadline.report.InboundLog;
import dev.deadline.report.TimeoutLog;
import dev.deadline.report.UnboundedCallLog;
import org.junit.jupiter.api.Test;
import org.slf4j.spi.LoggingEventBuilder;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class DeadlineLoggingAutoConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(DeadlineAutoConfiguration.class, DeadlineLoggingAutoConfiguration.class));

    @Test
    void logsByDefault() {
        this.runner.run(context -> assertThat(context)
                .hasSingleBean(TimeoutLog.class)
                .hasSingleBean(InboundLog.class)
                .hasSingleBean(UnboundedCallLog.class));
    }

    @Test
    void backsOffForTheUsersOwn() {
        TimeoutLog own = new TimeoutLog();
        InboundLog ownInbound = new InboundLog(MonotonicClock.SYSTEM);
        this.runner
                .withBean(TimeoutLog.class, () -> own)
                .withBean(InboundLog.class, () -> ownInbound)
                .run(context -> {
                    assertThat(context).getBean(TimeoutLog.class).isSameAs(own);
                    assertThat(context).getBean(InboundLog.class).isSameAs(ownInbound);
                });
    }

    @Test
    void isAbsentWithoutTheFluentApi() {
        this.runner
                .withClassLoader(new FilteredClassLoader(LoggingEventBuilder.class))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(DeadlineEngine.class)
                        .doesNotHaveBean("deadlineTimeoutLog")
                        .doesNotHaveBean("deadlineInboundLog"));
    }

    @Test
    void isAbsentWhenSwitchedOff() {
        this.runner
                .withPropertyValues("deadline.enabled=false")
                .run(context ->
                        assertThat(context).doesNotHaveBean(TimeoutLog.class).doesNotHaveBean(InboundLog.class));
    }
}
