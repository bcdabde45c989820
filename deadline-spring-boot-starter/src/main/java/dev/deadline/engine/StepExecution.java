package dev.deadline.engine;

import dev.deadline.DeadlineExceededException;
import dev.deadline.DeadlineListener.StepEvent;
import dev.deadline.Outcome;
import dev.deadline.Reason;
import dev.deadline.StepFailedException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One run of a step: whether there is time to start, what its end means, and exactly one report. The same for work on
 * the calling thread and for work that completes later.
 *
 * <p>After the work {@link #succeeded()} or {@link #failed(Throwable)} is called, once, or {@link #abandoned()}. If they
 * say that the policy applies, one of {@link #degraded}, {@link #refused} and {@link #fallbackFailed} follows.
 */
public final class StepExecution {

    private final DeadlineEngine engine;

    private final StepPolicy policy;

    private final Mode mode;

    private final @Nullable Scope parent;

    private final Scope scope;

    private final long allowedNanos;

    private final boolean clamped;

    private final boolean inTime;

    // By the clock of the request, which in observe mode is credited with what would have been cut.
    private final long budgetStartNanos;

    // When it was decided what became of it: its start, if it did not start.
    private long decidedNanos;

    private StepExecution(DeadlineEngine engine, StepPolicy policy, Mode mode, @Nullable Scope parent) {
        this.engine = engine;
        this.policy = policy;
        this.mode = mode;
        this.parent = parent;
        StepDefinition step = policy.definition();
        // Read once: in a step that answers at once, reading the clock is what takes longest.
        long start = engine.clock().nanoTime();
        long allowed = step.timeoutNanos();
        Budget budget;
        if (parent == null) {
            budget = new Budget(engine, Budget.UNBOUNDED, 0, 0, mode, false, null);
        } else {
            budget = parent.budget;
            parent.attach();
            allowed = Math.min(allowed, Math.min(spendable(step, parent, start), parent.remainingAt(start)));
        }
        this.allowedNanos = Math.max(0, allowed);
        boolean limited = step.timeoutNanos() != Budget.UNBOUNDED;
        this.clamped = limited ? allowed < step.timeoutNanos() : budget.shortened;
        this.inTime = allowed >= step.minimumNanos() && (parent == null || parent.reason() == null);
        this.scope = new Scope(budget, parent, Scope.Kind.STEP, policy.name(), start, this.allowedNanos);
        if (allowed < step.timeoutNanos()) {
            this.scope.clampedByRequest();
        }
        if (this.clamped) {
            this.scope.clamped();
        }
        this.budgetStartNanos = budget.at(start);
        this.decidedNanos = start;
    }

    private static long spendable(StepDefinition step, Scope parent, long now) {
        long left = parent.requestRemainingAt(now);
        if (left == Budget.UNBOUNDED) {
            return left;
        }
        long reserve = step.reserveNanos();
        if (step.essential()) {
            reserve = 0;
        } else if (reserve == StepDefinition.INHERITED) {
            reserve = parent.budget.reserveNanos;
        }
        return left - Math.max(reserve, parent.budget.marginNanos);
    }

    /**
     * Decides whether the step may start. Its time begins now.
     *
     * @param mode not {@link Mode#OFF}
     * @param parent the deadline it runs under; null for none
     */
    static StepExecution begin(DeadlineEngine engine, StepPolicy policy, Mode mode, @Nullable Scope parent) {
        return new StepExecution(engine, policy, mode, parent);
    }

    /** Whether the work is to be done; if not, {@link #failed} comes next, without a cause. */
    public boolean mayStart() {
        return this.inTime || !isEnforced();
    }

    /** Whether the work is cut at its end. */
    public boolean isEnforced() {
        return this.mode == Mode.ENFORCE;
    }

    /** The deadline of the work. */
    public Scope scope() {
        return this.scope;
    }

    /** Begins the work on the calling thread. */
    Section enter() {
        if (!isEnforced()) {
            return ThreadBinding.enterAgain();
        }
        this.scope.armNested();
        return this.engine.enterStep(this.scope, this.policy.definition().interrupt());
    }

    /** Begins, or goes on with, work that belongs to no thread. */
    public void goOnWithoutThread() {
        if (isEnforced()) {
            this.scope.arm();
        }
    }

    /** The work has ended. Decides whether that was in time; the decision stands when it is asked for again. */
    boolean over(@Nullable Throwable cause) {
        if (isLackOfTime(cause)) {
            // Who found that time is up was quicker than the watchdog.
            this.scope.endIfDue();
        }
        return this.scope.complete();
    }

    /**
     * The work answered.
     *
     * @return null if the answer counts; else why the policy applies
     * @throws DeadlineExceededException if a step around this one ended it, whose policy applies instead
     */
    public @Nullable StepFailedException succeeded() {
        if (!isEnforced()) {
            return observed(null);
        }
        if (!over(null)) {
            return failed(null);
        }
        this.decidedNanos = this.scope.now();
        report(Outcome.OK, null);
        return null;
    }

    /**
     * The work failed, or may not start.
     *
     * @param cause what it threw; null if it did not start, or was cancelled without having thrown
     * @return why the policy applies; null if the cause is to be thrown as it is
     * @throws DeadlineExceededException if a step around this one ended it, whose policy applies instead
     */
    public @Nullable StepFailedException failed(@Nullable Throwable cause) {
        if (!isEnforced()) {
            return observed(cause);
        }
        boolean cut = !over(cause);
        Scope.End cancelled = this.scope.cancellation();
        if (this.inTime) {
            this.decidedNanos = (cancelled != null) ? cancelled.atNanos() : this.scope.now();
        }
        boolean lackedTime = cut || !this.inTime || isLackOfTime(cause);
        if (cause instanceof Error || behind(cause) instanceof StepFailedException) {
            // Another step's failure passes through: a fallback never opens a gate.
            report((cause instanceof Error) ? Outcome.BUSINESS_ERROR : Outcome.FAILED, null);
            return null;
        }
        if (lackedTime && this.scope.isEndedByOuterStep()) {
            report(Outcome.FAILED, null);
            throw exceeded(cause);
        }
        if (!lackedTime && (cause == null || !this.engine.failures().isUpstreamFailure(cause))) {
            report(Outcome.BUSINESS_ERROR, null);
            return null;
        }
        return failure(lackedTime ? reasonOfLack(cancelled, cause) : Reason.UPSTREAM_ERROR, cause);
    }

    private static boolean isLackOfTime(@Nullable Throwable cause) {
        return behind(cause) instanceof DeadlineExceededException;
    }

    // What futures and publishers have wrapped on its way through the work.
    private static @Nullable Throwable behind(@Nullable Throwable cause) {
        return (cause != null) ? UpstreamFailures.unwrapped(cause) : null;
    }

    private Reason reasonOfLack(Scope.@Nullable End cancelled, @Nullable Throwable cause) {
        if (this.inTime && cancelled != null) {
            return cancelled.reason();
        }
        if (this.inTime && behind(cause) instanceof DeadlineExceededException exceeded) {
            return exceeded.reason();
        }
        Reason outer = (this.parent != null) ? this.parent.reason() : null;
        return (outer == Reason.CLIENT_ABORT) ? outer : Reason.BUDGET_EXHAUSTED;
    }

    /**
     * Nobody waits for the answer any more: neither a timeout nor a failure, unless time ran out first. Called in place
     * of {@link #succeeded()} and {@link #failed(Throwable)}; nothing follows.
     */
    public void abandoned() {
        if (this.scope.complete()) {
            long elapsed = this.scope.budget.now() - this.budgetStartNanos;
            if (isEnforced() || this.inTime && elapsed <= this.allowedNanos) {
                this.decidedNanos = this.scope.startNanos + elapsed;
                report(Outcome.ABORTED, null);
            } else {
                observed(null);
            }
            return;
        }
        try {
            StepFailedException failure = failed(null);
            if (failure != null) {
                refused(failure);
            }
        } catch (DeadlineExceededException ex) {
            // A step around this one ended it and has reported that; there is nobody to throw it to.
        }
    }

    // Whatever the work did stands; only the report says what would have become of it.
    private @Nullable StepFailedException observed(@Nullable Throwable cause) {
        // Steps side by side are credited with each other's delays, so that one of them may seem to have gone back.
        long elapsed = Math.max(0, this.scope.budget.now() - this.budgetStartNanos);
        long kept = this.inTime ? Math.min(elapsed, this.allowedNanos) : 0;
        this.decidedNanos = this.scope.startNanos + kept;
        if (!this.inTime) {
            report(outcomeOfPolicy(), Reason.BUDGET_EXHAUSTED);
        } else if (elapsed > kept) {
            report(outcomeOfPolicy(), Reason.UPSTREAM_TIMEOUT);
        } else if (cause == null) {
            report(Outcome.OK, null);
        } else if (this.engine.failures().isUpstreamFailure(cause)) {
            report(outcomeOfPolicy(), Reason.UPSTREAM_ERROR, cause);
        } else {
            report(Outcome.BUSINESS_ERROR, null);
        }
        this.scope.budget.credit(elapsed - kept);
        return null;
    }

    private Outcome outcomeOfPolicy() {
        return this.policy.isOpen() ? Outcome.DEGRADED : Outcome.FAILED;
    }

    /** Whether a fallback is to be tried: an open step has one, but nobody would read it after an abort. */
    public boolean wantsFallback(StepFailedException failure) {
        return this.policy.isOpen() && failure.reason() != Reason.CLIENT_ABORT;
    }

    /** No fallback is tried; the failure is to be thrown. */
    public void refused(StepFailedException failure) {
        Outcome outcome = (failure.reason() == Reason.CLIENT_ABORT) ? Outcome.ABORTED : Outcome.FAILED;
        report(outcome, failure.reason(), failure.getCause());
    }

    /** The fallback answered. */
    public void degraded(StepFailedException failure) {
        report(Outcome.DEGRADED, failure.reason(), failure.getCause());
    }

    /** The scope of a fallback: bounded by what is left of the request. */
    public Scope openFallback() {
        long left = (this.parent != null) ? this.parent.remainingNanos(this.parent.now()) : Budget.UNBOUNDED;
        long start = this.engine.clock().nanoTime();
        return new Scope(this.scope.budget, this.parent, Scope.Kind.FALLBACK, this.policy.name(), start, left);
    }

    /** Begins a fallback on the calling thread. */
    public Section enterFallback(Scope fallback) {
        if (this.parent == DeadlineEngine.currentScope()) {
            fallback.armNested();
        } else {
            // Another thread than the one that is interrupted when the scope around ends.
            goOnWithoutThread(fallback);
        }
        return this.engine.enterStep(fallback, true);
    }

    /** Begins, or goes on with, a fallback that belongs to no thread, or to another one than the step. */
    public void goOnWithoutThread(Scope fallback) {
        fallback.arm();
        fallback.attach();
    }

    /**
     * The fallback failed as well.
     *
     * @return to be thrown: a {@link StepFailedException}, or a {@link DeadlineExceededException} if a step around this
     *     one ended it, whose policy applies instead
     */
    public RuntimeException fallbackFailed(StepFailedException failure, Scope fallback, Throwable cause) {
        boolean cut = !fallback.complete() || isLackOfTime(cause);
        report(Outcome.FAILED, failure.reason(), failure.getCause());
        if (behind(cause) instanceof StepFailedException gate) {
            return gate;
        }
        if (cut && fallback.isEndedByOuterStep()) {
            return exceeded(cause);
        }
        Reason second = cut ? Reason.BUDGET_EXHAUSTED : Reason.UPSTREAM_ERROR;
        this.engine.listeners().fallbackFailed(event(Outcome.FAILED, second, cause));
        StepFailedException thrown = failure(cut ? second : failure.reason(), cause);
        thrown.addSuppressed(failure);
        return thrown;
    }

    private DeadlineExceededException exceeded(@Nullable Throwable cause) {
        return new DeadlineExceededException(
                this.policy.name(), Reason.BUDGET_EXHAUSTED, waited(), this.clamped, cause);
    }

    private StepFailedException failure(Reason reason, @Nullable Throwable cause) {
        return new StepFailedException(this.policy.name(), reason, waited(), this.clamped, cause);
    }

    private Duration waited() {
        return Duration.ofNanos(waitedNanos());
    }

    private long waitedNanos() {
        return this.decidedNanos - this.scope.startNanos;
    }

    private void report(Outcome outcome, @Nullable Reason reason) {
        report(outcome, reason, null);
    }

    private void report(Outcome outcome, @Nullable Reason reason, @Nullable Throwable thrown) {
        StepLedger ledger = this.scope.ledger();
        if (ledger != null && isEnforced()) {
            // Nobody reads what is said of an abort.
            if (reason != null && reason != Reason.CLIENT_ABORT) {
                ledger.degraded(this.policy.name(), reason, waitedNanos());
                if (outcome == Outcome.FAILED) {
                    ledger.refused(this.policy.name());
                }
            }
            if (ledger.isTimed()) {
                ledger.timed(this.policy.name(), waitedNanos(), reason);
            }
        }
        this.engine.listeners().stepFinished(event(outcome, reason, thrown));
    }

    private StepEvent event(Outcome outcome, @Nullable Reason reason, @Nullable Throwable thrown) {
        return new StepEvent(
                this.policy.name(),
                outcome,
                reason,
                (reason == Reason.UPSTREAM_ERROR) ? UpstreamFailures.refusal(thrown) : null,
                this.policy.definition().onTimeout(),
                waitedNanos(),
                (this.parent != null) ? this.parent.requestRemainingAt(this.decidedNanos) : Budget.UNBOUNDED,
                this.allowedNanos,
                this.clamped,
                isEnforced());
    }
}
