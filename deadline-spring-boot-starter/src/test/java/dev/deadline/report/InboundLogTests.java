package dev.deadline.report;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class InboundLogTests {

    private final Logger logger = (Logger) LoggerFactory.getLogger(InboundLog.class);

    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);

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
    void warnsOnceAMinuteAndSaysHowMany() {
        InboundLog log = new InboundLog(this.now::get);
        for (int i = 0; i < 1000; i++) {
            log.inboundIgnored("X-Deadline-Remaining-Ms");
        }
        this.now.addAndGet(TimeUnit.SECONDS.toNanos(59));
        log.inboundIgnored("X-Deadline-Remaining-Ms");
        this.now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        log.inboundIgnored("X-Deadline-Remaining-Ms");

        assertThat(this.appender.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "X-Deadline-Remaining-Ms is not a time that can be read and was ignored, as in 1 request(s) since "
                                + "the last such warning",
                        "X-Deadline-Remaining-Ms is not a time that can be read and was ignored, as in 1001 request(s) since "
                                + "the last such warning");
    }
}
