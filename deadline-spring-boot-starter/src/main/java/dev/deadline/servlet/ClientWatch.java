package dev.deadline.servlet;

import dev.deadline.Deadline.Registration;
import dev.deadline.Reason;
import dev.deadline.engine.DeadlineEngine;
import java.util.concurrent.TimeUnit;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Notices that a client has gone while its request waits in a step, where the container can tell. A request that is
 * answered within a quarter of a second is never looked at.
 */
final class ClientWatch {

    /** How often to look, and how long a step must have waited. */
    static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    // A second look must agree with the first.
    private static final long CONFIRMATION_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final Log logger = LogFactory.getLog(ClientWatch.class);

    private static final Registration NOTHING = () -> {};

    private final DeadlineEngine engine;

    // Switched off by the first look that finds a container which cannot tell.
    private volatile boolean detects;

    ClientWatch(DeadlineEngine engine, boolean detects) {
        this.engine = engine;
        this.detects = detects;
    }

    /**
     * Watches while the request's thread is in the application, until the registration is closed.
     *
     * @param request null if that is not known
     */
    Registration begin(RequestDeadline deadline, @Nullable DeadlineRequest request, ResponseGuard guard) {
        if (!this.detects || request == null || !deadline.scope().isEnforced()) {
            return NOTHING;
        }
        Lookout lookout = new Lookout(deadline, request, guard);
        lookout.next(PERIOD_NANOS);
        return lookout;
    }

    private boolean hasLeft(DeadlineRequest request) {
        NativeExchange exchange = NativeExchange.of(request);
        if (!exchange.noticesDeparture()) {
            switchOff();
            return false;
        }
        return exchange.hasClientLeft();
    }

    private void switchOff() {
        this.detects = false;
        logger.info("A client that goes away is not noticed until something is written to it, as this container does "
                + "not tell. Set deadline.client-abort.detect=false to save the attempt.");
    }

    /** Looks after one request. */
    private final class Lookout implements Runnable, Registration {

        private final RequestDeadline deadline;

        private final DeadlineRequest request;

        private final ResponseGuard guard;

        // Written by the request's thread and by that of the last look, which follow one another except at the end:
        // then one look more is taken in vain.
        private volatile @Nullable Registration alarm;

        private volatile boolean closed;

        // Of the looks only, which follow one another.
        private boolean suspected;

        Lookout(RequestDeadline deadline, DeadlineRequest request, ResponseGuard guard) {
            this.deadline = deadline;
            this.request = request;
            this.guard = guard;
        }

        void next(long delayNanos) {
            this.alarm = ClientWatch.this.engine.schedule(delayNanos, this);
        }

        @Override
        public void run() {
            if (this.closed || !ClientWatch.this.detects || this.request.isAsync() || this.deadline.isDecided()) {
                return;
            }
            // No look is taken while anybody uses the response or reads the body, and nobody does during a look. The
            // request's thread cannot leave during it either, so what is looked at is not recycled.
            boolean left = this.deadline.scope().isInStepFor(PERIOD_NANOS)
                    && this.guard.look(() -> this.request.look(() -> hasLeft(this.request)));
            if (left && this.suspected) {
                this.deadline.scope().cancel(Reason.CLIENT_ABORT);
                return;
            }
            this.suspected = left;
            next(left ? CONFIRMATION_NANOS : PERIOD_NANOS);
        }

        @Override
        public void close() {
            this.closed = true;
            Registration pending = this.alarm;
            if (pending != null) {
                pending.close();
            }
        }
    }
}
