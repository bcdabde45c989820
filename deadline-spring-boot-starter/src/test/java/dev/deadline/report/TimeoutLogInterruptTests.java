package dev.deadline.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.FileAppender;
import dev.deadline.Deadline;
import dev.deadline.StepFailedException;
import dev.deadline.Steps;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.EngineSettings;
import dev.deadline.engine.EngineSteps;
import dev.deadline.engine.InterruptPolicy;
import dev.deadline.engine.Mode;
import dev.deadline.engine.ModeSwitch;
import dev.deadline.engine.StepRegistry;
import dev.deadline.engine.StepRunner;
import dev.deadline.engine.UpstreamFailures;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** C78: the event about an interrupt is not lost to it, whatever the appender makes of interrupted threads. */
class TimeoutLogInterruptTests {

    private static final int TIMEOUTS = 20;

    private final Logger logger = (Logger) LoggerFactory.getLogger("deadline.timeout");

    private final LoggerContext context = this.logger.getLoggerContext();

    private final List<Appender<ILoggingEvent>> appenders = new ArrayList<>();

    private final DeadlineEngine engine = DeadlineEngine.start(
            new EngineSettings(0, InterruptPolicy.STEPS, 150_000_000, 1, false),
            new ModeSwitch(Mode.ENFORCE),
            new UpstreamFailures(),
            List.of(new TimeoutLog()));

    private final Steps steps = new EngineSteps(new StepRegistry(Map.of()), new StepRunner(this.engine, List.of()));

    private final Steps.Closed hanging = this.steps.closed("hanging").timeout(Duration.ofMillis(5));

    @BeforeEach
    void keepTheEventsOffTheConsole() {
        this.logger.setAdditive(false);
    }

    @AfterEach
    void close() {
        this.appenders.forEach(this.logger::detachAppender);
        this.appenders.forEach(Appender::stop);
        this.logger.setAdditive(true);
        this.engine.close();
        Thread.interrupted();
    }

    @Test
    void keepsEveryEventWhenAnAsynchronousAppenderIsFull() {
        SlowAppender slow = new SlowAppender();
        AsyncAppender async = new AsyncAppender();
        async.setContext(this.context);
        async.setQueueSize(1);
        async.setDiscardingThreshold(0);
        async.addAppender(start(slow));
        attach(async);
        Thread releaser = new Thread(() -> {
            await().until(() -> async.getRemainingCapacity() == 0);
            slow.open.countDown();
        });
        releaser.start();

        timeOut();
        this.logger.warn("later");

        await().untilAsserted(() -> assertThat(slow.messages).hasSize(TIMEOUTS + 1));
        assertThat(slow.messages.subList(0, TIMEOUTS)).allSatisfy(TimeoutLogInterruptTests::isTimeout);
    }

    @Test
    void keepsEveryEventInAFileThatSeveralProcessesShare(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("events.log");
        attach(prudentFileAppender(file));

        timeOut();
        this.logger.warn("later");

        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(TIMEOUTS + 1);
        assertThat(lines.subList(0, TIMEOUTS)).allSatisfy(TimeoutLogInterruptTests::isTimeout);
        assertThat(lines.get(TIMEOUTS)).isEqualTo("later");
    }

    @Test
    void keepsEveryEventOfAThreadThatSomebodyElseInterrupted(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("events.log");
        attach(prudentFileAppender(file));
        NaiveAppender naive = new NaiveAppender();
        attach(naive);

        for (int i = 0; i < TIMEOUTS; i++) {
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(StepFailedException.class)
                    .isThrownBy(() -> this.hanging.call(() -> {
                        while (Deadline.current().reason() == null) {
                            Thread.onSpinWait();
                        }
                        return null;
                    }));
            assertThat(Thread.interrupted()).as("the flag is still theirs").isTrue();
        }

        assertThat(Files.readAllLines(file)).hasSize(TIMEOUTS).allSatisfy(TimeoutLogInterruptTests::isTimeout);
        assertThat(naive.queue).hasSize(TIMEOUTS);
    }

    @Test
    void keepsTheEventsOfAStepInsideOneThatIsBeingInterrupted() {
        NaiveAppender naive = new NaiveAppender();
        attach(naive);
        Steps.Open inner = this.steps.open("inner").timeout(Duration.ofMillis(5));

        assertThatExceptionOfType(StepFailedException.class)
                .isThrownBy(() -> this.steps
                        .closed("outer")
                        .timeout(Duration.ofMillis(40))
                        .call(() -> {
                            while (true) {
                                inner.call(
                                        () -> {
                                            hang();
                                            return "";
                                        },
                                        failure -> "");
                            }
                        }));

        assertThat(naive.refused).isZero();
        assertThat(naive.queue).isNotEmpty().allSatisfy(TimeoutLogInterruptTests::isTimeout);
        assertThat(naive.queue).filteredOn(message -> message.contains("outer")).hasSize(1);
    }

    /** The control: with the flag set, this appender does lose events. */
    @Test
    void losesEventsOfInterruptedThreadsWhereNobodyTakesCare() {
        NaiveAppender naive = new NaiveAppender();
        attach(naive);

        Thread.currentThread().interrupt();
        this.logger.warn("lost");

        assertThat(naive.queue).isEmpty();
        assertThat(naive.refused).isOne();
    }

    private void timeOut() {
        for (int i = 0; i < TIMEOUTS; i++) {
            assertThatExceptionOfType(StepFailedException.class)
                    .isThrownBy(() -> this.hanging.call(() -> {
                        hang();
                        return null;
                    }));
        }
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    // Returns when interrupted, and leaves the flag set as much code does.
    private static void hang() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    private static void isTimeout(String message) {
        assertThat(message).startsWith("{\"event\":\"deadline.timeout\",").endsWith("}");
    }

    private FileAppender<ILoggingEvent> prudentFileAppender(Path file) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(this.context);
        encoder.setPattern("%msg%n");
        encoder.start();
        FileAppender<ILoggingEvent> appender = new FileAppender<>();
        appender.setFile(file.toString());
        appender.setPrudent(true);
        appender.setEncoder(encoder);
        return appender;
    }

    private void attach(Appender<ILoggingEvent> appender) {
        this.logger.addAppender(start(appender));
        this.appenders.add(appender);
    }

    private <A extends Appender<ILoggingEvent>> A start(A appender) {
        appender.setContext(this.context);
        appender.start();
        return appender;
    }

    /** Writes nothing until it is opened. */
    private static final class SlowAppender extends AppenderBase<ILoggingEvent> {

        final CountDownLatch open = new CountDownLatch(1);

        final List<String> messages = new CopyOnWriteArrayList<>();

        @Override
        protected void append(ILoggingEvent event) {
            try {
                this.open.await();
            } catch (InterruptedException ex) {
                throw new IllegalStateException(ex);
            }
            this.messages.add(event.getFormattedMessage());
        }
    }

    /** Hands events to a queue in the way that drops them when the thread is interrupted. */
    private static final class NaiveAppender extends AppenderBase<ILoggingEvent> {

        final BlockingQueue<String> queue = new LinkedBlockingQueue<>();

        int refused;

        @Override
        protected void append(ILoggingEvent event) {
            try {
                this.queue.put(event.getFormattedMessage());
            } catch (InterruptedException ex) {
                this.refused++;
            }
        }
    }
}
