package dev.deadline.report;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class UnboundedCallLogTests {

    @RegisterExtension
    private final CapturedLog captured = new CapturedLog(UnboundedCallLog.LOGGER);

    private final UnboundedCallLog log = new UnboundedCallLog();

    @BeforeEach
    void begin() {
        this.log.begin();
    }

    @Test
    void saysNothingOfCallsThatAreMadeWhileTheApplicationStarts() {
        new UnboundedCallLog().unboundedCall("http");

        assertThat(this.captured.events()).isEmpty();
    }

    /** C41: one warning, however often and from however many threads. */
    @Test
    void warnsOnceOfEachKindOfClient() {
        IntStream.range(0, 1000).parallel().forEach(call -> {
            this.log.unboundedCall("http");
            this.log.unboundedCall("jdbc");
        });

        assertThat(this.captured.events())
                .allSatisfy(event -> assertThat(event.getLevel()).isEqualTo(Level.WARN))
                .extracting(event -> event.getArgumentArray()[0])
                .containsExactlyInAnyOrder("http", "jdbc");
    }

    /** Where the thread came from is told by its name. */
    @Test
    void saysOnWhichThread() {
        this.log.unboundedCall("http");

        assertThat(this.captured.events())
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

        assertThat(this.captured.events()).hasSize(16);
    }
}
