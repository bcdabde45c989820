package dev.deadline.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.deadline.DeadlineExceededException;
import dev.deadline.Reason;
import dev.deadline.engine.Budget;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.EngineSettings;
import dev.deadline.engine.InterruptPolicy;
import dev.deadline.engine.Mode;
import dev.deadline.engine.ModeSwitch;
import dev.deadline.engine.RequestAnswer;
import dev.deadline.engine.Section;
import dev.deadline.engine.UpstreamFailures;
import java.io.EOFException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

class RequestBodyTests {

    private final DeadlineEngine engine = DeadlineEngine.start(
            new EngineSettings(0, InterruptPolicy.STEPS, 150_000_000, 1, false),
            new ModeSwitch(Mode.ENFORCE),
            new UpstreamFailures(),
            List.of());

    private final ResponseSettings settings = new ResponseSettings("X-Degraded", 503, 5, false, false);

    private final ResponseMarks marks = new ResponseMarks(this.settings);

    private final MockHttpServletRequest request = new MockHttpServletRequest();

    private final RequestDeadline deadline = new RequestDeadline(
            this.engine,
            this.engine.openRequest(this.engine.clock().nanoTime(), Budget.UNBOUNDED, 0, Mode.ENFORCE, false),
            RequestAnswer.UNKNOWN);

    private final RequestBody body = new RequestBody(
            this.request,
            this.deadline,
            new ResponseGuard(this.request, new MockHttpServletResponse(), this.deadline, this.marks, false),
            new LastResort(this.engine, new Answer(this.settings, this.marks)));

    @AfterEach
    void stop() {
        this.engine.close();
    }

    @Test
    void isExpectedWhereItIsAnnounced() {
        this.request.setProtocol("HTTP/1.1");
        assertThat(this.body.isExpected()).isFalse();
    }

    @Test
    void isExpectedWithEveryHttp2RequestThatSaysNothing() {
        this.request.setProtocol("HTTP/2.0");
        assertThat(this.body.isExpected()).isTrue();
    }

    /** What reads and what looks use the same buffer of the container. */
    @Test
    void isNotLookedAtWhileItIsRead() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch arrived = new CountDownLatch(1);
        FutureTask<String> reader = new FutureTask<>(() -> this.body.read(() -> {
            reading.countDown();
            await(arrived);
            return "read";
        }));
        new Thread(reader).start();
        reading.await();

        assertThat(this.body.look(() -> true)).isFalse();

        arrived.countDown();
        assertThat(reader.get()).isEqualTo("read");
        assertThat(this.body.look(() -> true)).isTrue();
    }

    @Test
    void isNeverReadWhileItIsLookedAt() throws Exception {
        AtomicBoolean looking = new AtomicBoolean();
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger met = new AtomicInteger();
        Thread watcher = new Thread(() -> {
            while (!over.get()) {
                this.body.look(() -> {
                    looking.set(true);
                    Thread.yield();
                    looking.set(false);
                    return true;
                });
            }
        });
        watcher.start();
        for (int i = 0; i < 50_000; i++) {
            this.body.read(() -> looking.get() ? met.incrementAndGet() : 0);
        }
        over.set(true);
        watcher.join();

        assertThat(met).hasValue(0);
    }

    @Test
    void isNotReadWhenTimeIsUp() {
        this.deadline.scope().cancel(Reason.BUDGET_EXHAUSTED);

        assertThatExceptionOfType(DeadlineExceededException.class)
                .isThrownBy(() -> this.body.read(() -> "read"))
                .matches(ex -> ex.reason() == Reason.BUDGET_EXHAUSTED);
    }

    /** Whatever the container says of it, and even if it takes the end for that of the body. */
    @Test
    void endsWithTheDeadlineAndNotWithAFailureOfTheClient() {
        assertThatExceptionOfType(DeadlineExceededException.class)
                .isThrownBy(() -> this.body.read(() -> {
                    this.deadline.scope().cancel(Reason.BUDGET_EXHAUSTED);
                    throw new EOFException("cut");
                }));
        assertThat(this.deadline.isAborted()).isFalse();
    }

    @Test
    void tellsThatTheClientHasGone() {
        assertThatExceptionOfType(EOFException.class)
                .isThrownBy(() -> this.body.read(() -> {
                    throw new EOFException("gone");
                }));

        assertThat(this.deadline.isAborted()).isTrue();
        assertThat(this.deadline.scope().reason()).isEqualTo(Reason.CLIENT_ABORT);
    }

    @Test
    void interruptsWhoWaitsForIt() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        FutureTask<String> reader = new FutureTask<>(() -> {
            try (Section section = this.engine.bind(this.deadline.scope())) {
                return this.body.read(() -> {
                    reading.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException ex) {
                        throw new IOException(ex);
                    }
                    return "read";
                });
            } catch (DeadlineExceededException ex) {
                return "refused";
            }
        });
        new Thread(reader).start();
        reading.await();

        this.deadline.scope().cancel(Reason.BUDGET_EXHAUSTED);

        assertThat(reader.get()).isEqualTo("refused");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ex) {
            throw new IllegalStateException(ex);
        }
    }
}
