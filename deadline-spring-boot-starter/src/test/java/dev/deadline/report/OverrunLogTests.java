package dev.deadline.report;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OverrunLogTests {

    private static final StackTraceElement[] STACK = {new StackTraceElement("a.Loop", "spin", "Loop.java", 7)};

    @RegisterExtension
    private final CapturedLog captured = new CapturedLog(OverrunLog.LOGGER);

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);

    private final OverrunLog log = new OverrunLog(this.now::get, TimeUnit.MILLISECONDS.toNanos(150));

    @Test
    void tellsOfAnOverrunThatExceedsTheGrace() {
        this.log.overran("flags", TimeUnit.MILLISECONDS.toNanos(150));
        this.log.overran("flags", TimeUnit.MILLISECONDS.toNanos(151));

        assertThat(this.captured.events())
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("'flags' went on for 151 ms after it was told to stop");
    }

    @Test
    void showsWhereTheThreadIs() {
        this.log.overrunning("flags", TimeUnit.MILLISECONDS.toNanos(1500), STACK);

        assertThat(this.captured.events()).singleElement().satisfies(event -> {
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
        assertThat(this.captured.events()).hasSize(2);

        this.now.addAndGet(TimeUnit.SECONDS.toNanos(60));
        this.log.overrunning("flags", TimeUnit.SECONDS.toNanos(2), STACK);
        assertThat(this.captured.events()).hasSize(3);
    }
}
