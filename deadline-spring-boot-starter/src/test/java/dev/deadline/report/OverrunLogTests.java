package dev.deadline.report;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class OverrunLogTests {

    private static final StackTraceElement[] STACK = {new StackTraceElement("a.Loop", "spin", "Loop.java", 7)};

    private final Logger logger = (Logger) LoggerFactory.getLogger(OverrunLog.LOGGER);

    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);

    private final OverrunLog log = new OverrunLog(this.now::get, TimeUnit.MILLISECONDS.toNanos(150));

    @BeforeEach
    void listen() {
        this.appender.start();
        this.logger.addAppender(this.appender);
        this.logger.setAdditive(false);
    }

    @AfterEach
    void stopListening() {
        this.logger.detachAppender(this.appender);
        this.logger.setAdditive(true);
    }

    @Test
    void tellsOfAnOverrunThatExceedsTheGrace() {
        this.log.overran("flags", TimeUnit.MILLISECONDS.toNanos(150));
        this.log.overran("flags", TimeUnit.MILLISECONDS.toNanos(151));

        assertThat(this.appender.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("'flags' went on for 151 ms after it was told to stop");
    }

    @Test
    void showsWhereTheThreadIs() {
        this.log.overrunning("flags", TimeUnit.MILLISECONDS.toNanos(1500), STACK);

        assertThat(this.appender.list).singleElement().satisfies(event -> {
            assertThat(event.getLevel()).isEqualTo(Level.WARN);
            assertThat(event.getFormattedMessage()).startsWith("'flags' was told to stop 1500 ms ago");
            assertThat(event.getThrowableProxy()
                            .getStackTraceElementProxyArray()[0]
                            .getSTEAsString())
                    .isEqualTo("at a.Loop.spin(Loop.java:7)");
        });
    }

    @Test
    void showsItOnceAMinuteForEachStep() {
        for (String step : new String[] {"flags", "flags", "geo"}) {
            this.log.overrunning(step, TimeUnit.SECONDS.toNanos(2), STACK);
        }
        assertThat(this.appender.list).hasSize(2);

        this.now.addAndGet(TimeUnit.SECONDS.toNanos(60));
        this.log.overrunning("flags", TimeUnit.SECONDS.toNanos(2), STACK);
        assertThat(this.appender.list).hasSize(3);
    }
}
