package dev.deadline.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.deadline.DeadlineExceededException;
import dev.deadline.Reason;
import dev.deadline.engine.Budget;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.EngineSettings;
import dev.deadline.engine.InterruptPolicy;
import dev.deadline.engine.Mode;
import dev.deadline.engine.ModeSwitch;
import dev.deadline.engine.RequestAnswer;
import dev.deadline.engine.UpstreamFailures;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.Cookie;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

class GuardedResponseTests {

    private final DeadlineEngine engine = DeadlineEngine.start(
            new EngineSettings(0, InterruptPolicy.STEPS, 150_000_000, 1, false),
            new ModeSwitch(Mode.ENFORCE),
            new UpstreamFailures(),
            List.of());

    private final ResponseSettings settings = new ResponseSettings("X-Degraded", 503, 5, false, false);

    private final ResponseMarks marks = new ResponseMarks(this.settings);

    private final MockHttpServletRequest request = new MockHttpServletRequest();

    private final MockHttpServletResponse response = new MockHttpServletResponse();

    private final RequestDeadline deadline = new RequestDeadline(
            this.engine,
            this.engine.openRequest(this.engine.clock().nanoTime(), Budget.UNBOUNDED, 0, Mode.ENFORCE, false),
            RequestAnswer.UNKNOWN);

    private final ResponseGuard guard =
            new ResponseGuard(this.request, this.response, this.deadline, this.marks, false);

    private final GuardedResponse guarded = new GuardedResponse(this.response, this.guard);

    @AfterEach
    void stop() {
        this.engine.close();
    }

    private void degrade() {
        this.deadline.ledger().degraded("flags", Reason.UPSTREAM_TIMEOUT, 250_400_000);
    }

    private void assertMarked() {
        assertThat(this.response.getHeaders("X-Degraded")).containsExactly("flags=upstream_timeout;250");
        assertThat(this.response.getHeaders("Cache-Control")).containsExactly("no-store");
        assertThat(this.response.getHeaderNames()).doesNotContain("ETag", "Last-Modified", "Expires");
    }

    @Test
    void readsAsIfItHeldNothingBack() {
        this.guarded.setHeader("etag", "\"v1\"");
        this.guarded.addHeader("Cache-Control", "private");
        this.guarded.addHeader("cache-control", "max-age=60");
        this.guarded.setDateHeader("Last-Modified", 1_212_491_130_000L);
        this.guarded.setIntHeader("Expires", 0);

        assertThat(this.guarded.containsHeader("ETAG")).isTrue();
        assertThat(this.guarded.getHeader("ETag")).isEqualTo("\"v1\"");
        assertThat(this.guarded.getHeaders("Cache-Control")).containsExactly("private", "max-age=60");
        assertThat(this.guarded.getHeader("Last-Modified")).isEqualTo("Tue, 03 Jun 2008 11:05:30 GMT");
        assertThat(this.guarded.getHeaderNames())
                .containsExactlyInAnyOrder("ETag", "Cache-Control", "Last-Modified", "Expires");
        assertThat(this.response.getHeaderNames()).isEmpty();

        this.guard.commit();

        assertThat(this.response.getHeaders("Cache-Control")).containsExactly("private", "max-age=60");
        assertThat(this.response.getHeader("ETag")).isEqualTo("\"v1\"");
        assertThat(this.guarded.getHeader("ETag")).isEqualTo("\"v1\"");
    }

    @Test
    void decidesWhenTheBufferOverflows() throws Exception {
        this.guarded.setBufferSize(100);
        this.guarded.setHeader("ETag", "\"v1\"");
        ServletOutputStream out = this.guarded.getOutputStream();
        out.write(new byte[90]);
        assertThat(this.guard.isCommitted()).isFalse();
        degrade();

        out.write(new byte[10]);

        assertThat(this.guard.isCommitted()).isTrue();
        assertMarked();
    }

    @Test
    void decidesWhenTheWriterOverflowsTheBuffer() throws Exception {
        this.guarded.setCharacterEncoding("UTF-8");
        this.guarded.setBufferSize(100);
        PrintWriter writer = this.guarded.getWriter();
        writer.print("a".repeat(90));
        assertThat(this.guard.isCommitted()).isFalse();
        degrade();

        writer.print("\u20ac\u20ac\u20ac\u20ac");

        assertThat(this.guard.isCommitted()).isTrue();
        assertMarked();
    }

    @Test
    void decidesWhenTheAnnouncedLengthIsReached() throws Exception {
        this.guarded.setHeader("Content-Length", "3");
        degrade();
        this.guarded.getOutputStream().write('a');
        assertThat(this.guard.isCommitted()).isFalse();

        this.guarded.getOutputStream().write(new byte[] {'b', 'c'});

        assertThat(this.guard.isCommitted()).isTrue();
        assertMarked();
    }

    @Test
    void startsOverAfterAReset() throws Exception {
        this.guarded.setHeader("ETag", "\"v1\"");
        this.guarded.getOutputStream().write(new byte[100]);
        degrade();
        this.guarded.reset();
        assertThat(this.guarded.containsHeader("ETag")).isFalse();

        this.guarded.getWriter().write("anew");
        this.guarded.flushBuffer();

        assertMarked();
        assertThat(this.response.getContentAsString()).isEqualTo("anew");
    }

    @Test
    void boundsTheLengthOfTheHeader() {
        for (int i = 0; i < 40; i++) {
            this.deadline.ledger().degraded("n".repeat(60) + i, Reason.BUDGET_EXHAUSTED, Long.MAX_VALUE);
        }

        this.guard.commit();

        assertThat(this.response.getHeader("X-Degraded"))
                .hasSizeLessThan(2049)
                .matches("(n+\\d+=budget_exhausted;\\d+(, )?)+");
    }

    @Test
    void cannotBeCommittedWhenTheTimeIsUp() throws Exception {
        this.deadline.scope().cancel(Reason.BUDGET_EXHAUSTED);
        this.guarded.getWriter().write("too late");

        this.guarded.flushBuffer();
        this.guarded.getWriter().flush();
        this.guarded.sendRedirect("/elsewhere");

        assertThat(this.response.isCommitted()).isFalse();
        Assertions.assertThatExceptionOfType(DeadlineExceededException.class)
                .isThrownBy(() -> this.guarded.getWriter().write("x".repeat(10_000)));
    }

    /** C46 */
    @Test
    void takesNothingMoreOnceItIsAnswered() throws Exception {
        ServletOutputStream out = this.guarded.getOutputStream();
        this.deadline.scope().cancel(Reason.BUDGET_EXHAUSTED);
        this.deadline.refuse(null);

        assertThat(this.guard.answer(new Answer(this.settings, this.marks))).isTrue();
        this.response.setHeader("X-First", "1");
        assertThat(this.guard.answer(new Answer(this.settings, this.marks))).isTrue();
        assertThat(this.response.getHeader("X-First")).isEqualTo("1");

        this.guarded.setStatus(200);
        this.guarded.setHeader("X-Late", "1");
        this.guarded.addCookie(new Cookie("late", "1"));
        this.guarded.setContentType("text/late");
        this.guarded.setCharacterEncoding("UTF-16");
        this.guarded.setLocale(Locale.FRENCH);
        this.guarded.setContentLengthLong(7);
        this.guarded.setBufferSize(100_000);
        assertThatIOException().isThrownBy(this.guarded::getWriter);
        assertThat(this.response.getCookies()).isEmpty();
        assertThat(this.response.getContentType()).isNull();
        assertThat(this.response.getHeader("Content-Language")).isNull();
        assertThat(this.response.getBufferSize()).isLessThan(100_000);
        this.guarded.flushBuffer();
        assertThatIOException().isThrownBy(() -> out.write('x'));
        assertThat(this.response.getStatus()).isEqualTo(503);
        assertThat(this.response.getHeader("X-Late")).isNull();
    }

    private boolean answerFromElsewhere(ResponseGuard guard) throws IOException {
        return guard.answerFromElsewhere(new Answer(this.settings, this.marks), () -> true);
    }

    @Test
    void isAnsweredFromElsewhereWhileItsThreadIsInside() throws Exception {
        this.guard.attend();
        this.guarded.setHeader("X-Custom", "kept");
        this.guarded.getWriter().write("half of it");

        assertThat(answerFromElsewhere(this.guard)).isTrue();

        assertThat(this.response.getStatus()).isEqualTo(503);
        assertThat(this.response.getHeader("Connection")).isEqualTo("close");
        assertThat(this.response.getHeader("X-Custom")).isEqualTo("kept");
        assertThat(this.response.getHeader("X-Degraded")).matches("request=budget_exhausted;\\d+");
        assertThat(this.response.getContentAsString()).isEqualTo("{\"status\":503,\"error\":\"Service Unavailable\"}");
        assertThat(this.deadline.refusal()).isEqualTo(Reason.BUDGET_EXHAUSTED);
    }

    /** C46: then the container may have given the response to another request. */
    @Test
    void isNotTouchedFromElsewhereOnceItsThreadHasLeft() throws Exception {
        this.guard.attend();
        this.guard.leave();

        assertThat(answerFromElsewhere(this.guard)).isTrue();
        assertThat(this.guard.look(() -> true)).isFalse();

        assertThat(this.response.isCommitted()).isFalse();
        assertThat(this.response.getStatus()).isEqualTo(200);
        assertThat(this.deadline.refusal()).isNull();
    }

    @Test
    void isNotAnsweredFromElsewhereWhereTheContainerForbidsIt() throws Exception {
        this.guard.attend();

        assertThat(this.guard.answerFromElsewhere(new Answer(this.settings, this.marks), () -> false))
                .isTrue();

        assertThat(this.response.isCommitted()).isFalse();
    }

    /** Nobody waits for a handler that writes to a client which takes nothing. */
    @Test
    void isTriedAgainFromElsewhereWhileItIsInUse() throws Exception {
        this.guard.attend();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Thread user = new Thread(() -> this.guard.change(() -> {
            inside.countDown();
            awaitQuietly(goOn);
        }));
        user.start();
        inside.await();

        assertThat(answerFromElsewhere(this.guard)).isFalse();
        assertThat(this.guard.look(() -> true)).isFalse();

        goOn.countDown();
        user.join();
        assertThat(answerFromElsewhere(this.guard)).isTrue();
        assertThat(this.response.getStatus()).isEqualTo(503);
    }

    /** C46: when the thread has left nobody is still writing, and nobody begins to. */
    @Test
    void keepsItsThreadFromLeavingWhileItIsAnsweredFromElsewhere() throws Exception {
        AtomicInteger touchedLate = new AtomicInteger();
        for (int i = 0; i < 2_000; i++) {
            AtomicBoolean left = new AtomicBoolean();
            MockHttpServletResponse target = new MockHttpServletResponse() {
                @Override
                public void setStatus(int status) {
                    // The longer it takes the wider the window.
                    Thread.yield();
                    if (left.get()) {
                        touchedLate.incrementAndGet();
                    }
                }
            };
            ResponseGuard contested = new ResponseGuard(this.request, target, this.deadline, this.marks, false);
            contested.attend();
            CountDownLatch ready = new CountDownLatch(2);
            Thread elsewhere = new Thread(() -> {
                ready.countDown();
                awaitQuietly(ready);
                try {
                    answerFromElsewhere(contested);
                } catch (IOException ex) {
                    throw new IllegalStateException(ex);
                }
            });
            elsewhere.start();
            ready.countDown();
            awaitQuietly(ready);
            contested.leave();
            left.set(true);
            elsewhere.join();
        }
        assertThat(touchedLate).hasValue(0);
    }

    /** C46: the first byte of a stream and the answer are decided between by one lock. */
    @Test
    void letsExactlyOneWriterWin() throws Exception {
        AtomicInteger mixed = new AtomicInteger();
        for (int i = 0; i < 500; i++) {
            MockHttpServletResponse target = new MockHttpServletResponse();
            RequestDeadline own = new RequestDeadline(
                    this.engine,
                    this.engine.openRequest(0, Budget.UNBOUNDED, 0, Mode.ENFORCE, false),
                    RequestAnswer.UNKNOWN);
            ResponseGuard decider = new ResponseGuard(this.request, target, own, this.marks, false);
            GuardedResponse contested = new GuardedResponse(target, decider);
            CountDownLatch ready = new CountDownLatch(2);
            Thread handler = new Thread(() -> {
                ready.countDown();
                awaitQuietly(ready);
                try {
                    contested.getOutputStream().write('x');
                    contested.flushBuffer();
                } catch (Exception ex) {
                    // Too late, which is one of the two outcomes.
                }
            });
            handler.start();
            ready.countDown();
            awaitQuietly(ready);
            own.scope().cancel(Reason.BUDGET_EXHAUSTED);
            own.refuse(null);
            boolean answered = decider.answer(new Answer(this.settings, this.marks));
            handler.join();
            if (answered != (target.getStatus() == 503)
                    || answered == target.getContentAsString().equals("x")) {
                mixed.incrementAndGet();
            }
        }
        assertThat(mixed).hasValue(0);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ex) {
            throw new IllegalStateException(ex);
        }
    }

    /** In observe mode, and without a budget, nothing is held against a client that has gone. */
    @Test
    void refusesNothingBecauseTheClientHasGone() throws Exception {
        this.deadline.scope().cancel(Reason.CLIENT_ABORT);

        this.guarded.flushBuffer();

        assertThat(this.response.isCommitted()).isTrue();
        assertThat(this.deadline.isAborted()).isTrue();
    }
}
