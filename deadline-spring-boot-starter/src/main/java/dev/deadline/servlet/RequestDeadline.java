package dev.deadline.servlet;

import dev.deadline.Deadline;
import dev.deadline.DeadlineExceededException;
import dev.deadline.Outcome;
import dev.deadline.Reason;
import dev.deadline.StepFailedException;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Nanos;
import dev.deadline.engine.RequestAnswer;
import dev.deadline.engine.Scope;
import dev.deadline.engine.StepDefinition;
import dev.deadline.engine.StepLedger;
import dev.deadline.engine.StepLedger.Entry;
import jakarta.servlet.ServletRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the deadline of one request, in all of its dispatches: a request attribute. Thread-safe.
 */
public final class RequestDeadline implements RequestAnswer {

    /** The name of the request attribute. */
    public static final String ATTRIBUTE = Scope.KEY;

    private static final Log logger = LogFactory.getLog("deadline.response");

    private final DeadlineEngine engine;

    private final Scope scope;

    private final long queuedNanos;

    private final AtomicBoolean finished = new AtomicBoolean();

    private volatile @Nullable Reason refusal;

    private volatile @Nullable GateRefusal gateRefusal;

    private volatile @Nullable RuntimeException failure;

    private volatile boolean handedOver;

    private volatile boolean departed;

    private volatile boolean clientGone;

    private volatile int marked;

    private volatile Runnable begin = () -> {};

    RequestDeadline(DeadlineEngine engine, Scope scope, long queuedNanos) {
        this.engine = engine;
        this.scope = scope;
        this.queuedNanos = queuedNanos;
    }

    /** What is known of a request; null if it has no deadline, not even one without end. */
    public static @Nullable RequestDeadline of(ServletRequest request) {
        return (request.getAttribute(ATTRIBUTE) instanceof RequestDeadline known) ? known : null;
    }

    /** The deadline of the request itself, whatever step the caller may be in. */
    public Deadline deadline() {
        return this.scope;
    }

    @Override
    public long queuedNanos() {
        return this.queuedNanos;
    }

    @Override
    public long remainingNanos(long now) {
        return this.scope.remainingAt(now);
    }

    @Override
    public boolean isEnforced() {
        return this.scope.isEnforced();
    }

    Scope scope() {
        return this.scope;
    }

    StepLedger ledger() {
        StepLedger ledger = this.scope.ledger();
        if (ledger == null) {
            throw new IllegalStateException("The scope is not that of a request");
        }
        return ledger;
    }

    /** Why the request is refused; null if it is not. */
    @Nullable
    Reason refusal() {
        return this.refusal;
    }

    /** Whether the time of the request is up, so that it is to be refused whatever it may have answered. */
    @Override
    public boolean isOver() {
        // By the clock: the alarm of a part on another thread may ring a moment before the one of the request.
        if (!this.scope.isOver() && this.scope.isExpired()) {
            this.scope.cancel(Reason.BUDGET_EXHAUSTED);
        }
        Reason reason = this.scope.reason();
        return reason != null && reason != Reason.CLIENT_ABORT;
    }

    /** Whether its end has passed, also if it was met with the first byte of a stream. */
    boolean isPast() {
        return this.scope.isExpired();
    }

    /** Whether the scope has ended, in whatever way. */
    boolean isDecided() {
        return this.scope.isOver();
    }

    /** The work for the request ended, if its time has not. */
    void complete() {
        if (!isOver()) {
            this.scope.complete();
        }
    }

    /** Whether nobody waits for the answer any more. */
    @Override
    public boolean isAborted() {
        return this.departed || this.scope.reason() == Reason.CLIENT_ABORT || this.refusal == Reason.CLIENT_ABORT;
    }

    /** Whether nobody is there any more to be told anything, also if the time was up by then. */
    boolean isClientGone() {
        return this.clientGone || isAborted();
    }

    /** The client has gone: stops what is under way for it, unless the request is only observed. */
    void departed() {
        this.clientGone = true;
        if (this.scope.isEnforced()) {
            this.scope.cancel(Reason.CLIENT_ABORT);
        }
        // If its time was up as well, time is the reason.
        this.departed = !isOver();
    }

    /** Refuses the request before any work, as its caller has given up. */
    void refuseAtOnce() {
        note(StepDefinition.REQUEST, Reason.BUDGET_EXHAUSTED, Duration.ZERO);
        this.refusal = Reason.BUDGET_EXHAUSTED;
    }

    @Override
    public void refuse(Reason reason, int status, long retryAfterSeconds) {
        note(StepDefinition.GATE, reason, Duration.ofNanos(Math.max(0, this.queuedNanos)));
        this.gateRefusal = new GateRefusal(status, retryAfterSeconds);
        this.refusal = reason;
    }

    @Override
    public void onBegin(Runnable task) {
        this.begin = task;
    }

    @Override
    public boolean isRefused() {
        return this.gateRefusal != null;
    }

    /** What the gate answers; null if it let the request in. */
    @Nullable
    GateRefusal gateRefusal() {
        return this.gateRefusal;
    }

    /** Refuses the request because of one of our exceptions, or because its time is up. */
    void refuse(@Nullable RuntimeException ownFailure) {
        Reason reason = null;
        if (ownFailure instanceof StepFailedException step) {
            reason = step.reason();
            note(legal(step.stepName()), reason, step.waited());
        } else if (ownFailure instanceof DeadlineExceededException exceeded && !isOver()) {
            reason = exceeded.reason();
            note(legal(exceeded.stepName()), reason, exceeded.waited());
        }
        if (isOver()) {
            DeadlineExceededException exceeded = this.scope.exceeded(null);
            reason = exceeded.reason();
            note(StepDefinition.REQUEST, reason, exceeded.waited());
        }
        this.failure = ownFailure;
        this.refusal = reason;
    }

    /** Refuses the request while its thread is still at it, or at its error page. */
    void refuseFromElsewhere() {
        DeadlineExceededException exceeded = this.scope.exceeded(null);
        note(StepDefinition.REQUEST, exceeded.reason(), exceeded.waited());
        this.refusal = exceeded.reason();
    }

    // An exception made by the application may carry any name, and this one goes into a header.
    private static String legal(@Nullable String step) {
        return (step != null && ResponseMarks.isLegal(step)) ? step : StepDefinition.REQUEST;
    }

    // Nobody reads what is said of an abort.
    private void note(String step, Reason reason, Duration waited) {
        if (reason != Reason.CLIENT_ABORT) {
            ledger().degraded(step, reason, Nanos.of(waited));
        }
    }

    /** The application has a handler for exactly this exception: the answer is its own, and only marked. */
    void handOver(RuntimeException ownFailure) {
        refuse(ownFailure);
        this.refusal = null;
        this.handedOver = true;
    }

    /**
     * Whether the application's answer may be sent. Called once, under the lock of the response.
     *
     * @param streaming whether it is sent piece by piece; then the deadline is met with the first one
     */
    boolean mayCommit(boolean streaming) {
        boolean may = this.handedOver || isInTime(streaming);
        if (may) {
            this.begin.run();
        }
        return may;
    }

    private boolean isInTime(boolean streaming) {
        if (this.refusal != null || isOver()) {
            return false;
        }
        // The compare-and-set decides between the first byte and the watchdog.
        return !streaming || this.scope.complete() || isAborted();
    }

    /** What to throw at a handler that goes on to write although the request is refused. */
    RuntimeException exceeded() {
        RuntimeException known = this.failure;
        return (known != null) ? known : this.scope.exceeded(null);
    }

    /** What to say of the steps in the headers, which are sent now. */
    List<Entry> mark(int status) {
        List<Entry> entries = ledger().entries();
        this.marked = entries.size();
        String gate = ledger().refusedBy();
        if (gate != null && this.refusal == null && !this.handedOver && status < 400) {
            logger.warn(
                    "Step '" + gate + "' failed and was to refuse the request, but the application answers with status "
                            + status + " all the same. The response is marked as degraded.");
        }
        return entries;
    }

    boolean isHandedOver() {
        return this.handedOver;
    }

    /** Ends the request and reports it, unless that has been done. */
    void finish(Outcome outcome, @Nullable Reason reason) {
        if (this.finished.compareAndSet(false, true)) {
            List<Entry> entries = ledger().entries();
            if (entries.size() > this.marked) {
                logger.warn("Too late for the header of a response that was on its way already: "
                        + ResponseMarks.describe(entries.subList(this.marked, entries.size())));
            }
            boolean aborted = isAborted();
            this.engine.finishRequest(
                    this.scope,
                    aborted ? Outcome.ABORTED : outcome,
                    aborted ? Reason.CLIENT_ABORT : reason,
                    this.queuedNanos);
        }
    }
}
