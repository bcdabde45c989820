package dev.deadline.gateway;

import dev.deadline.engine.MonotonicClock;
import dev.deadline.engine.RequestAnswer;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The time that one request spends inside until its answer begins, which may be when its thread has left. How long a
 * stream then takes, or its client to read, says nothing about the server.
 */
final class Visit implements AsyncListener {

    private final Shedder shedder;

    private final MonotonicClock clock;

    private final RequestAnswer answer;

    private final int kind;

    private final long beganNanos;

    private final long leftNanos;

    // Its answer may begin on one thread while the request ends on another. And Tomcat reports a second end if the time
    // of an asynchronous request ran out and its error page has answered.
    private final AtomicBoolean ended = new AtomicBoolean();

    /**
     * @param leftNanos how long it may take until its answer begins to be in time
     */
    Visit(Shedder shedder, MonotonicClock clock, RequestAnswer answer, int kind, long beganNanos, long leftNanos) {
        this.shedder = shedder;
        this.clock = clock;
        this.answer = answer;
        this.kind = kind;
        this.beganNanos = beganNanos;
        this.leftNanos = leftNanos;
    }

    void begin() {
        this.shedder.entered();
        this.answer.onBegin(this::end);
    }

    /** The thread leaves and the request does not. */
    void goOn(HttpServletRequest request) {
        try {
            request.getAsyncContext().addListener(this);
        } catch (IllegalStateException ex) {
            // It is over already.
            end();
        }
    }

    void end() {
        if (this.ended.compareAndSet(false, true)) {
            long now = this.clock.nanoTime();
            this.shedder.left(now, now - this.beganNanos, this.leftNanos, ending(), this.kind);
        }
    }

    private Ending ending() {
        if (this.answer.isRefused()) {
            return Ending.REFUSED;
        }
        if (this.answer.isOver()) {
            return Ending.CUT;
        }
        return this.answer.isAborted() ? Ending.ABORTED : Ending.ANSWERED;
    }

    @Override
    public void onComplete(AsyncEvent event) {
        end();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        // Followed by onComplete.
    }

    @Override
    public void onError(AsyncEvent event) {
        // Followed by onComplete.
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // The container forgets its listeners here.
        event.getAsyncContext().addListener(this);
    }
}
