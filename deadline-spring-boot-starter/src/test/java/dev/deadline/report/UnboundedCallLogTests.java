package dev.deadline.report;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class UnboundedCallLogTests {

    private final Logger logger = (Logger) LoggerFactory.getLogger(UnboundedCallLog.LOGGER);

    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    private final UnboundedCallLog log = new UnboundedCallLog();

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

    /** C41: one warning, however often and from however many threads. */
    @Test
    void warnsOnceOfEachKindOfClient() {
        IntStream.range(0, 1000).parallel().forEach(call -> {
            this.log.unboundedCall("http");
            this.log.unboundedCall("jdbc");
        });

        assertThat(this.appender.list)
                .allSatisfy(event -> assertThat(event.getLevel()).isEqualTo(Level.WARN))
                .extracting(event -> event.getArgumentArray()[0])
                .containsExactlyInAnyOrder("http", "jdbc");
    }

    /** Where the thread came from is told by its name. */
    @Test
    void saysOnWhichThread() {
        this.log.unboundedCall("http");

        assertThat(this.appender.list)
                .singleElement()
                .extracting(ILoggingEvent::getFormattedMessage)
                .asString()
                .startsWith("A call (http) on thread '" + Thread.currentThread().getName() + "' has no deadline");
    }

    @Test
    void holdsABoundedNumberOfKinds() {
        for (int kind = 0; kind < 1000; kind++) {
            this.log.unboundedCall("kind-" + kind);
        }

        assertThat(this.appender.list).hasSize(16);
    }
}
