package dev.deadline.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deadline.DeadlineListener.GateEvent;
import dev.deadline.GateCause;
import dev.deadline.Priority;
import dev.deadline.Reason;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.MonotonicClock;
import dev.deadline.report.InboundLog;
import dev.deadline.report.TimeoutLog;
import dev.deadline.report.UnboundedCallLog;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.spi.LoggingEventBuilder;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

@ExtendWith(OutputCaptureExtension.class)
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
    void writesWhatTheGateHeldBackWhenTheSecondIsOver(CapturedOutput output) {
        this.runner.run(context -> {
            refuse(context);
            refuse(context);

            await().atMost(20, TimeUnit.SECONDS)
                    .untilAsserted(() -> assertThat(refusals(output)).hasSize(2));
        });
    }

    @Test
    void writesWhatTheGateHeldBackWhenTheApplicationEnds(CapturedOutput output) {
        this.runner.run(context -> {
            refuse(context);
            refuse(context);
            context.close();

            assertThat(refusals(output)).hasSize(2);
        });
    }

    private static void refuse(ApplicationContext context) {
        context.getBean(DeadlineEngine.class)
                .listeners()
                .gateRefused(new GateEvent(Reason.SHED, GateCause.EXPIRED, Priority.DEFAULT, 0, true));
    }

    private static List<String> refusals(CapturedOutput output) {
        return output.toString()
                .lines()
                .filter(line -> line.contains("expired=1"))
                .toList();
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
