package dev.deadline.report;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.deadline.DeadlineListener.GateEvent;
import dev.deadline.GateCause;
import dev.deadline.Priority;
import dev.deadline.Reason;
import dev.deadline.gateway.Lockstep;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class GateLogTests {

    private static final Pattern REFUSED = Pattern.compile("\"refused\":(\\d+)");

    @RegisterExtension
    private final CapturedLog captured = new CapturedLog(GateLog.LOGGER);

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);

    private final AtomicReference<Alarm> alarm = new AtomicReference<>();

    private final GateLog log = new GateLog(this.now::get, this::arm);

    private record Alarm(long endNanos, Runnable task) {}

    private void arm(long delayNanos, Runnable task) {
        Alarm armed = new Alarm(this.now.get() + delayNanos, task);
        assertThat(this.alarm.compareAndSet(null, armed)).as("one at a time").isTrue();
    }

    private void advance(long millis) {
        long end = this.now.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
        Alarm armed = this.alarm.get();
        if (armed != null && end - armed.endNanos() >= 0) {
            this.alarm.set(null);
            armed.task().run();
        }
    }

    private List<String> messages() {
        return this.captured.events().stream()
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private void refuse(Reason reason, GateCause cause, boolean enforced) {
        this.log.gateRefused(new GateEvent(reason, cause, Priority.DEFAULT, 0, enforced));
    }

    @Test
    void writesOneEventASecondAtMostAndSaysHowMany() {
        for (int i = 0; i < 100; i++) {
            refuse(Reason.SHED, GateCause.STANDING_QUEUE, true);
        }
        advance(999);
        refuse(Reason.RATE_LIMITED, GateCause.LIMIT, true);
        assertThat(messages())
                .containsExactly("{\"event\":\"deadline.gate\",\"refused\":1,\"observed\":0,"
                        + "\"causes\":\"standing_queue=1\",\"storeFailures\":0}");

        advance(1);

        assertThat(messages())
                .hasSize(2)
                .last()
                .isEqualTo("{\"event\":\"deadline.gate\",\"refused\":100,\"observed\":0,"
                        + "\"causes\":\"standing_queue=99 limit=1\",\"storeFailures\":0}");
        assertThat(this.captured.events()).extracting(ILoggingEvent::getLevel).containsOnly(Level.WARN);
    }

    @Test
    void beginsAnewAfterAQuietSecond() {
        refuse(Reason.SHED, GateCause.EXPIRED, true);
        assertThat(this.alarm.get()).as("nothing is left to write").isNull();
        refuse(Reason.SHED, GateCause.EXPIRED, true);
        advance(1000);
        refuse(Reason.SHED, GateCause.EXPIRED, true);
        advance(1000);
        assertThat(this.alarm.get()).as("nothing is left to write").isNull();
        advance(5000);
        refuse(Reason.SHED, GateCause.EXPIRED, true);

        assertThat(messages())
                .hasSize(4)
                .allSatisfy(message -> assertThat(message).contains("\"refused\":1,"));
    }

    @Test
    void writesWhatItHeldBackWithWhatIsDueAnyway() {
        refuse(Reason.SHED, GateCause.EXPIRED, true);
        refuse(Reason.SHED, GateCause.EXPIRED, true);
        this.now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        refuse(Reason.SHED, GateCause.LIMIT, true);
        advance(0);

        assertThat(this.alarm.get()).as("nothing is left to write").isNull();
        assertThat(messages()).hasSize(2).last().asString().contains("\"causes\":\"expired=1 limit=1\"");
    }

    @Test
    void writesWhatIsLeftWhenItIsClosed() {
        GateLog closed = new GateLog(this.now::get, (delayNanos, task) -> {});
        for (int i = 0; i < 3; i++) {
            closed.limitStoreFailed();
            closed.tokenShared("0a1b2c3d", 12);
        }
        closed.close();
        closed.close();

        assertThat(messages()).hasSize(4);
        assertThat(messages().get(2)).contains("\"storeFailures\":2");
        assertThat(messages().get(3)).contains("\"tokens\":2");
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

    /** Behind a network that spreads its clients over many addresses all tokens come from many. */
    @Test
    void warnsOfSharedTokensOnceASecondAtMost() {
        this.log.tokenShared("0a1b2c3d", 12);
        for (int i = 0; i < 100; i++) {
            this.log.tokenShared("0000000" + i % 10, 10);
        }
        advance(1000);

        assertThat(messages())
                .containsExactly(
                        "{\"event\":\"deadline.token_shared\",\"tokens\":1,\"token\":\"0a1b2c3d\",\"addresses\":12}",
                        "{\"event\":\"deadline.token_shared\",\"tokens\":100,\"token\":\"00000009\",\"addresses\":10}");
        assertThat(this.captured.events()).extracting(ILoggingEvent::getLevel).containsOnly(Level.WARN);
    }

    /**
     * Without the compare-and-set both would write, each a part; and without one atomic step for each what is refused
     * meanwhile is lost.
     */
    @Test
    void writesOnceAndLosesNothingWhenTwoRefuseAtTheSameTime() throws InterruptedException {
        int rounds = 20_000;
        Lockstep.run(rounds, i -> refuseInSecond(i, GateCause.EXPIRED), i -> refuseInSecond(i, GateCause.NO_TIME_LEFT));
        advance(1000);

        assertThat(this.captured.events()).hasSizeLessThanOrEqualTo(rounds + 1);
        assertThat(refusedOf(messages())).isEqualTo(2L * rounds);
    }

    private void refuseInSecond(int second, GateCause cause) {
        this.now.set((second + 1) * TimeUnit.SECONDS.toNanos(1) + Long.MIN_VALUE);
        refuse(Reason.SHED, cause, true);
    }

    /** Without the compare-and-set each would arm the timer. */
    @Test
    void armsTheTimerOnceWhenTwoAreHeldBackAtTheSameTime() throws InterruptedException {
        IntConsumer other = i -> {
            if (i % 2 != 0) {
                refuse(Reason.SHED, GateCause.EXPIRED, true);
            }
        };
        IntConsumer one = i -> {
            if (i % 2 == 0) {
                advance(1000);
                advance(1000);
            }
            refuse(Reason.SHED, GateCause.EXPIRED, true);
        };
        Lockstep.run(40_000, one, other);

        assertThat(this.alarm.get()).isNotNull();
    }

    /** Were the timer not free for another time before it writes, this would wait for the next refusal. */
    @Test
    void writesWhatIsRefusedWhileItWrites() {
        refuse(Reason.SHED, GateCause.EXPIRED, true);
        refuse(Reason.SHED, GateCause.EXPIRED, true);
        AppenderBase<ILoggingEvent> writing = new AppenderBase<>() {

            @Override
            protected void append(ILoggingEvent event) {
                GateLogTests.this.captured.logger().detachAppender(this);
                refuse(Reason.SHED, GateCause.LIMIT, true);
            }
        };
        writing.start();
        this.captured.logger().addAppender(writing);
        advance(1000);
        advance(1000);

        assertThat(messages()).hasSize(3).last().asString().contains("\"causes\":\"limit=1\"");
    }

    /** Were the timer free only after it has looked what is left, what is refused in between would wait for the next refusal. */
    @Test
    void leavesNothingBehindWhenTheTimerRingsWhileARequestIsRefused() throws InterruptedException {
        Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
        GateLog raced = new GateLog(this.now::get, (delayNanos, task) -> tasks.add(task));
        Runnable refuse =
                () -> raced.gateRefused(new GateEvent(Reason.SHED, GateCause.EXPIRED, Priority.DEFAULT, 0, true));
        Runnable pass = () -> this.now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        IntConsumer prepare = i -> {
            while (!tasks.isEmpty()) {
                pass.run();
                tasks.remove().run();
            }
            assertThat(refusedOf(messages())).isEqualTo((i == 0) ? 0 : 4);
            this.captured.events().clear();
            pass.run();
            refuse.run();
            refuse.run();
            pass.run();
            refuse.run();
        };
        Lockstep.run(
                60_000,
                i -> {
                    if (i % 2 == 0) {
                        prepare.accept(i);
                    } else {
                        tasks.remove().run();
                    }
                },
                i -> {
                    if (i % 2 != 0) {
                        refuse.run();
                    }
                });
    }

    private static long refusedOf(List<String> messages) {
        return messages.stream()
                .flatMap(message -> REFUSED.matcher(message).results())
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .sum();
    }
}
