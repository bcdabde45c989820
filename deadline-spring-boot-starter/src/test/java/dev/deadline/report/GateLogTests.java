package dev.deadline.report;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.deadline.DeadlineListener.GateEvent;
import dev.deadline.GateCause;
import dev.deadline.Priority;
import dev.deadline.Reason;
import dev.deadline.gateway.Lockstep;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class GateLogTests {

    private static final Pattern REFUSED = Pattern.compile("\"refused\":(\\d+)");

    @RegisterExtension
    private final CapturedLog captured = new CapturedLog(GateLog.LOGGER);

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);

    private final GateLog log = new GateLog(this.now::get);

    private void refuse(Reason reason, GateCause cause, boolean enforced) {
        this.log.gateRefused(new GateEvent(reason, cause, Priority.DEFAULT, 0, enforced));
    }

    @Test
    void writesOneEventASecondAtMostAndSaysHowMany() {
        for (int i = 0; i < 100; i++) {
            refuse(Reason.SHED, GateCause.STANDING_QUEUE, true);
        }
        this.now.addAndGet(TimeUnit.MILLISECONDS.toNanos(999));
        refuse(Reason.RATE_LIMITED, GateCause.LIMIT, true);
        this.now.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
        refuse(Reason.SHED, GateCause.EXPIRED, true);

        assertThat(this.captured.events())
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "{\"event\":\"deadline.gate\",\"refused\":1,\"observed\":0,\"causes\":\"standing_queue=1\","
                                + "\"storeFailures\":0}",
                        "{\"event\":\"deadline.gate\",\"refused\":101,\"observed\":0,"
                                + "\"causes\":\"expired=1 standing_queue=99 limit=1\",\"storeFailures\":0}");
        assertThat(this.captured.events()).extracting(ILoggingEvent::getLevel).containsOnly(Level.WARN);
    }

    @Test
    void informsOfWhatWouldHaveBeenRefused() {
        refuse(Reason.SHED, GateCause.IN_FLIGHT, false);

        assertThat(this.captured.events())
                .singleElement()
                .satisfies(event -> assertThat(event.getLevel()).isEqualTo(Level.INFO))
                .satisfies(event -> assertThat(event.getFormattedMessage())
                        .contains("\"refused\":0,\"observed\":1,\"causes\":\"in_flight=1\""));
    }

    @Test
    void warnsOfAStoreThatDoesNotAnswer() {
        this.log.limitStoreFailed();

        assertThat(this.captured.events())
                .singleElement()
                .satisfies(event -> assertThat(event.getLevel()).isEqualTo(Level.WARN))
                .satisfies(event -> assertThat(event.getFormattedMessage()).contains("\"storeFailures\":1"));
    }

    @Test
    void warnsOfASharedToken() {
        this.log.tokenShared("0a1b2c3d", 12);

        assertThat(this.captured.events())
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("{\"event\":\"deadline.token_shared\",\"token\":\"0a1b2c3d\",\"addresses\":12}");
    }

    /** Without the compare-and-set both would write, and without one atomic step for each what is refused meanwhile is lost. */
    @Test
    void writesOnceAndLosesNothingWhenTwoRefuseAtTheSameTime() throws InterruptedException {
        int rounds = 20_000;
        IntConsumer step = i -> {
            this.now.set((i + 1) * TimeUnit.SECONDS.toNanos(1) + Long.MIN_VALUE);
            refuse(Reason.SHED, GateCause.EXPIRED, true);
        };
        Lockstep.run(rounds, step, step);
        this.now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        refuse(Reason.SHED, GateCause.EXPIRED, true);

        assertThat(this.captured.events()).hasSizeLessThanOrEqualTo(rounds + 1);
        assertThat(this.captured.events())
                .extracting(event -> REFUSED.matcher(event.getFormattedMessage())
                        .results()
                        .mapToLong(found -> Long.parseLong(found.group(1)))
                        .sum())
                .satisfies(numbers -> assertThat(
                                numbers.stream().mapToLong(Long::longValue).sum())
                        .isEqualTo(2L * rounds + 1));
    }
}
