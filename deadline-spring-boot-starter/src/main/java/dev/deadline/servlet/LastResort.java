package dev.deadline.servlet;

import dev.deadline.Deadline.Registration;
import dev.deadline.Reason;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Nanos;
import jakarta.servlet.ServletRequest;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Answers for the thread of a request that neither comes back nor can be stopped, a grace after its time was up.
 * Where the container would take the exchange for ended then, and go on with the connection, nothing is done.
 */
final class LastResort {

    private static final Log logger = LogFactory.getLog(LastResort.class);

    // The response is busy for a moment: a header is being set, or the connection looked at.
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final DeadlineEngine engine;

    private final Answer answer;

    private final AtomicBoolean told = new AtomicBoolean();

    LastResort(DeadlineEngine engine, Answer answer) {
        this.engine = engine;
        this.answer = answer;
    }

    /** Stands by while the request's thread is in the application, until the registration is closed. */
    Registration standBy(RequestDeadline deadline, ServletRequest request, ResponseGuard guard) {
        return deadline.scope().onCancel(reason -> {
            if (reason != Reason.CLIENT_ABORT) {
                this.engine.schedule(this.engine.graceNanos(), () -> answer(request, guard));
            }
        });
    }

    /** As {@link #standBy}, for the error page, which goes on when the time of its request has ended in whatever way. */
    Registration standByErrorPage(RequestDeadline deadline, ServletRequest request, ResponseGuard guard) {
        if (!deadline.deadline().isBounded() || !deadline.scope().isEnforced()) {
            return () -> {};
        }
        long left = Nanos.of(deadline.deadline().remaining());
        return this.engine.schedule(left + this.engine.graceNanos(), () -> answer(request, guard));
    }

    /**
     * Answers at once, for a thread that is known not to come back by itself, on a container that allows it.
     *
     * @return false if that is to be tried again
     */
    boolean answer(ResponseGuard guard) {
        try {
            return guard.answerFromElsewhere(this.answer, () -> true);
        } catch (IOException ex) {
            logger.debug("The answer for a request whose body does not come could not be sent", ex);
            return true;
        }
    }

    private void answer(ServletRequest request, ResponseGuard guard) {
        try {
            if (!guard.answerFromElsewhere(this.answer, () -> takesAnswer(request))) {
                this.engine.schedule(RETRY_NANOS, () -> answer(request, guard));
            }
        } catch (IOException | RuntimeException ex) {
            logger.debug("The answer for a request whose thread does not come back could not be sent", ex);
        }
    }

    private boolean takesAnswer(ServletRequest request) {
        boolean takes = NativeExchange.of(request).takesAnswerFromElsewhere();
        if (!takes && this.told.compareAndSet(false, true)) {
            logger.info("A request goes on although its time is up. On Tomcat and Jetty its client would be answered "
                    + "in the meantime; on this container it has to wait until the request's thread comes back.");
        }
        return takes;
    }
}
