package dev.deadline.gateway;

import dev.deadline.engine.MonotonicClock;
import dev.deadline.engine.RequestAnswer;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.atomic.AtomicBoolean;

/** The time that one request spends inside, which may go on when its thread has left. */
final class Visit implements AsyncListener {

    private final Shedder shedder;

    private final MonotonicClock clock;

    private final RequestAnswer answer;

    private final int kind;

    private final long beganNanos;

    // Tomcat reports a second end if the time of an asynchronous request ran out and its error page has answered.
    private final AtomicBoolean ended = new AtomicBoolean();

    Visit(Shedder shedder, MonotonicClock clock, RequestAnswer answer, int kind, long beganNanos) {
        this.shedder = shedder;
        this.clock = clock;
        this.answer = answer;
        this.kind = kind;
        this.beganNanos = beganNanos;
    }

    void begin() {
        this.shedder.entered();
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
            this.shedder.left(now, now - this.beganNanos, ending(), this.kind);
        }
    }

    private Ending ending() {
        if (this.answer.isRefused()) {
            return Ending.REFUSED;
        }
        if (this.answer.isOver()) {
            return Ending.LATE;
        }
        return this.answer.isAborted() ? Ending.ABORTED : Ending.IN_TIME;
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
