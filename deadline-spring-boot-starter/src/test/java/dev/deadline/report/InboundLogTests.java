package dev.deadline.report;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class InboundLogTests {

    @RegisterExtension
    private final CapturedLog captured = new CapturedLog(InboundLog.class.getName());

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);

    @Test
    void warnsOnceAMinuteAndSaysHowMany() {
        InboundLog log = new InboundLog(this.now::get);
        for (int i = 0; i < 1000; i++) {
            log.inboundIgnored("X-Deadline-Remaining-Ms");
        }
        this.now.addAndGet(TimeUnit.SECONDS.toNanos(59));
        log.inboundIgnored("X-Deadline-Remaining-Ms");
        this.now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        log.inboundIgnored("X-Deadline-Remaining-Ms");

        assertThat(this.captured.events())
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "X-Deadline-Remaining-Ms is not a time that can be read and was ignored, as in 1 request(s) since "
                                + "the last such warning",
                        "X-Deadline-Remaining-Ms is not a time that can be read and was ignored, as in 1001 request(s) since "
                                + "the last such warning");
    }
}
