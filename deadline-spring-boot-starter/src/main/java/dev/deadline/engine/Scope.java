package dev.deadline.engine;

import dev.deadline.Deadline.Registration;
import dev.deadline.DeadlineExceededException;
import dev.deadline.Reason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The deadline of a request, of a step in it, or of a part of it on another thread.
 *
 * <p>A scope ends exactly once, by one compare-and-set: either its work ended, or it was cancelled with a reason. When
 * it is cancelled the scopes inside it are cancelled too.
 */
public final class Scope extends TimeFrame {

    /** Under which name a deadline is found in the Reactor context, among thread-locals and in request attributes. */
    public static final String KEY = "dev.deadline";

    enum Kind {
        REQUEST,
        STEP,
        FALLBACK,
        CARRIED,
        JOB
    }

    /** How a cancelled scope ended. */
    record End(Reason reason, long atNanos) {}

    private static final VarHandle END;

    static {
        try {
            END = MethodHandles.lookup().findVarHandle(Scope.class, "end", Object.class);
        } catch (ReflectiveOperationException ex) {
            throw new ExceptionInInitializerError(ex);
        }
    }

    // The work ended by itself.
    private static final Object DONE = new Object();

    private static final Registration NOTHING_TO_REMOVE = () -> {};

    // Of the threads for interrupts only, whose rounds follow one another.
    private boolean overrunTold;

    // Null, DONE or an End. Changed once, by CAS: closes the race between the end of the work, the watchdog and a
    // disconnect, so that one of them wins and every report agrees with it.
    private volatile @Nullable Object end;

    // The thread doing this scope's own work; written under that binding's lock, read by the stopper without: a stale
    // value is harmless, for the binding decides by what is on top of it.
    volatile @Nullable ThreadBinding binding;

    // Cancelled, and then left as well.
    private volatile boolean leftLate;

    private volatile @Nullable Hooks hooks;

    private @Nullable Registration parentLink;

    // Written before anybody else knows this scope.
    private boolean measured;

    // Written before anybody else knows this scope.
    private boolean clampedByRequest;

    // Written before anybody else knows this scope.
    private boolean clamped;

    // Whether the end of the scope around it, on the same thread, is early enough to do without an alarm of its own.
    private boolean coveredByParent;

    Scope(Budget budget, @Nullable Scope parent, Kind kind, String name, long startNanos, long lengthNanos) {
        super(budget, parent, kind, name, startNanos, lengthNanos);
    }

    /** Arms this new scope, unless the one around it on the same thread ends it early enough. */
    void armNested() {
        Scope outer = this.parent;
        this.coveredByParent =
                outer != null && this.endNanos - outer.endNanos >= 0 && (outer.isArmed() || outer.coveredByParent);
        if (!this.coveredByParent) {
            // Without the lock, as nobody else knows this scope yet.
            armIfIdle();
        }
    }

    /** Arms this scope if it is not; for work that may outlive the scope around it. */
    synchronized void arm() {
        armIfIdle();
    }

    private void armIfIdle() {
        if (isBounded() && isEnforced() && this.end == null && this.state == IDLE) {
            this.budget.engine.watchdog().arm(this);
            if (this.end != null) {
                // It ended in between, and who ended it found nothing to disarm.
                disarm();
            }
        }
    }

    @Override
    void ring() {
        Scope outer = this.parent;
        if (outer != null && isNotBefore(outer) && (outer.isArmed() || outer.coveredByParent)) {
            // The time of both is up, and it is the outer one that ended first, whichever alarm is looked at first.
            outer.ring();
        }
        cancelWithParent();
        end(reasonAtEnd(), now());
    }

    private Reason reasonAtEnd() {
        Scope outer = this.parent;
        if (outer != null && this.kind == Kind.CARRIED) {
            return outer.reasonAtEnd();
        }
        // A scope around that is only observed ends nothing.
        boolean ownTime = this.kind == Kind.STEP && (outer == null || !outer.isEnforced() || !isNotBefore(outer));
        return (ownTime && !isLeftOver()) ? Reason.UPSTREAM_TIMEOUT : Reason.BUDGET_EXHAUSTED;
    }

    // What was withheld for the answer is no matter of the upstream's once the answer has been given.
    private boolean isLeftOver() {
        return this.clampedByRequest && root().isLeft();
    }

    /** Says that it is seen to how long the work of this carried scope, which has not begun, goes on after its end. */
    void measured() {
        this.measured = true;
    }

    /** Whether it is seen to how long the work of this scope goes on after its end. */
    boolean isMeasured() {
        return this.measured || this.kind != Kind.CARRIED;
    }

    /** Says that a request gave this step, which has not begun, less than it asked for. */
    void clampedByRequest() {
        this.clampedByRequest = true;
    }

    /** Says that this step, which has not begun, got less than its desired time. */
    void clamped() {
        this.clamped = true;
    }

    /**
     * Whether what this scope is for got less than its desired time, so that running out of it says nothing about the
     * upstream: a step less than its own timeout, a request less than was configured. A fallback has what is left.
     */
    public boolean isClamped() {
        Scope origin = origin();
        return switch (origin.kind) {
            case STEP -> origin.clamped;
            case FALLBACK -> origin.isBounded();
            default -> origin.budget.shortened;
        };
    }

    /**
     * Ends this scope for a reason, unless it has ended: interrupts the thread inside it and runs the hooks, on other
     * threads. If a client went away when its time was up as well, time is the reason.
     *
     * @return whether this call ended it
     */
    public boolean cancel(Reason reason) {
        long now = now();
        boolean timeIsUp = isBounded() && now - this.endNanos >= 0;
        return end((reason == Reason.CLIENT_ABORT && timeIsUp) ? reasonAtEnd() : reason, now);
    }

    private boolean end(Reason reason, long atNanos) {
        if (!END.compareAndSet(this, null, new End(reason, atNanos))) {
            return false;
        }
        disarm();
        leaveParent();
        this.budget.engine.stopper().stop(this);
        return true;
    }

    /** Ends this scope if its time is up and nobody has noticed yet. */
    void endIfDue() {
        cancelWithParent();
        if (isExpired()) {
            end(reasonAtEnd(), now());
        }
    }

    // The moment is that of the parent's end, not that of noticing, which may be much later.
    private void cancelWithParent() {
        Scope outer = this.parent;
        Reason outerReason = (outer != null) ? outer.reason() : null;
        End cause = (outer != null) ? outer.nearestCancellation() : null;
        if (outerReason == null || cause == null) {
            return;
        }
        long at = this.budget.isEnforced() ? Math.max(this.startNanos, cause.atNanos()) : now();
        boolean ownTimeFirst = outerReason == Reason.CLIENT_ABORT && isBounded() && this.endNanos - at <= 0;
        end(ownTimeFirst ? reasonAtEnd() : inherited(outerReason), at);
    }

    /** Whether this scope, or the one around it that cancelled it, was cancelled at least this long ago. */
    boolean isCancelledFor(long nanos) {
        End cause = (reason() != null) ? nearestCancellation() : null;
        return cause != null && now() - cause.atNanos() >= nanos;
    }

    private @Nullable End nearestCancellation() {
        for (Scope scope = this; scope != null; scope = scope.parent) {
            Object ended = scope.end;
            if (ended != null) {
                return (ended instanceof End cancelled) ? cancelled : null;
            }
        }
        return null;
    }

    // Seen from inside, the end of any scope around is that there is no time left, except that nobody waits any more.
    // A carried scope is not inside the other, but the same one elsewhere.
    private Reason inherited(Reason outer) {
        boolean same = outer == Reason.CLIENT_ABORT || this.kind == Kind.CARRIED;
        return same ? outer : Reason.BUDGET_EXHAUSTED;
    }

    /**
     * The work ended by itself. Drops the hooks and the alarm. Says the same again when called again.
     *
     * @return whether it ended in time; false if this scope or one around it was cancelled first
     */
    public boolean complete() {
        Object ended = this.end;
        if (ended == DONE) {
            return true;
        }
        if (ended == null) {
            cancelWithParent();
        }
        boolean inTime = END.compareAndSet(this, null, DONE) || this.end == DONE;
        disarm();
        if (inTime) {
            dropHooks();
        } else {
            this.leftLate = true;
        }
        return inTime;
    }

    private void disarm() {
        if (isArmed()) {
            this.budget.engine.watchdog().disarm(this);
        }
    }

    private void dropHooks() {
        Hooks list = this.hooks;
        if (list != null) {
            list.clear();
            leaveParent();
        }
    }

    // A parent may live much longer than this scope and must not keep it.
    private void leaveParent() {
        if (this.hooks != null) {
            synchronized (this) {
                if (this.parentLink != null) {
                    this.parentLink.close();
                }
            }
        }
    }

    @Override
    boolean isCancelled() {
        return this.end instanceof End;
    }

    /** How this scope was cancelled; null if it was not. */
    @Nullable
    End cancellation() {
        return (this.end instanceof End cancelled) ? cancelled : null;
    }

    boolean isOverrunTold() {
        return this.overrunTold;
    }

    void overrunTold() {
        this.overrunTold = true;
    }

    /** Whether the thread that works for this scope has been inside a step for at least this long. */
    public boolean isInStepFor(long nanos) {
        ThreadBinding bound = this.binding;
        return bound != null && bound.isInStepSince(this.budget.engine.clock().nanoTime() - nanos);
    }

    /** Whether the work ended, by itself or not. */
    public boolean isOver() {
        return this.end != null;
    }

    /** Whether the work has been left: also one that was cancelled goes on until then. */
    public boolean isLeft() {
        return this.end == DONE || this.leftLate;
    }

    @Override
    public @Nullable Reason reason() {
        Object ended = this.end;
        if (ended == null) {
            Scope outer = this.parent;
            Reason outerReason = (outer != null) ? outer.reason() : null;
            return (outerReason != null) ? inherited(outerReason) : null;
        }
        return (ended instanceof End cancelled) ? cancelled.reason() : null;
    }

    /** Makes a scope that may be on another thread than the one around it hear of the end of that. */
    void attach() {
        if (this.kind == Kind.CARRIED || this.kind == Kind.FALLBACK) {
            hookList();
        }
    }

    @Nullable
    Hooks hooks() {
        return this.hooks;
    }

    @Override
    public Registration onCancel(Consumer<? super Reason> hook) {
        if (this.end == null && reason() == null) {
            Hooks list = hookList();
            Registration registration = list.add(hook);
            // The scope may have ended meanwhile, and who ended it may have looked at the hooks before this one came:
            // then it is ours to run, if it is still there.
            if (this.end == null) {
                return registration;
            }
            if (!list.remove(registration)) {
                return NOTHING_TO_REMOVE;
            }
        }
        // Read after the look at the end, or a scope that ends between the two would seem to have ended by itself.
        Reason reason = reason();
        if (reason != null) {
            hook.accept(reason);
        }
        return NOTHING_TO_REMOVE;
    }

    // A scope without hooks is found through its thread; with the first hook it has to hear of its parent's end.
    private Hooks hookList() {
        Hooks list = this.hooks;
        if (list != null) {
            return list;
        }
        synchronized (this) {
            list = this.hooks;
            if (list == null) {
                list = new Hooks();
                this.hooks = list;
                if (!this.coveredByParent) {
                    arm();
                }
                if (this.parent != null) {
                    this.parentLink = this.parent.onCancel(reason -> cancelWithParent());
                }
                if (this.end != null) {
                    // It ended in between, and who ended it found nothing to take back.
                    leaveParent();
                }
            }
            return list;
        }
    }

    /** Whether a step around this scope ends it or ended it, so that the failure is for that step to report. */
    boolean isEndedByOuterStep() {
        boolean cancelled = reason() != null;
        for (Scope outer = this.parent; outer != null; outer = outer.parent) {
            if (outer.kind == Kind.STEP) {
                boolean sameEnd = cancelled && outer.isBounded() && this.endNanos - outer.endNanos >= 0;
                if (sameEnd || outer.isExpired()) {
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    public boolean isExpired() {
        if (reason() != null) {
            return true;
        }
        return isBounded() && this.budget.isEnforced() && now() - this.endNanos >= 0;
    }

    @Override
    public void checkpoint() {
        if (isExpired()) {
            throw exceeded(null);
        }
    }

    /** What to throw where the work is not allowed to go on; ends this scope if its time is up. */
    public DeadlineExceededException exceeded(@Nullable Throwable cause) {
        if (this.end == null && reason() == null) {
            cancel(reasonAtEnd());
        }
        Reason reason = reason();
        End cancelled = cancellation();
        long decided = (cancelled != null) ? cancelled.atNanos() : now();
        return new DeadlineExceededException(
                null,
                (reason != null) ? reason : reasonAtEnd(),
                Duration.ofNanos(Math.max(0, decided - this.startNanos)),
                isClamped(),
                cause);
    }

    /**
     * Opens a scope for tidying up after this one, which may have ended: rolling back, handing back. It belongs to no
     * thread and is to be {@linkplain #complete() completed}.
     *
     * @param capNanos how long that may take
     */
    public Scope cleanUp(long capNanos) {
        return this.budget.engine.openJob(isEnforced() ? Mode.ENFORCE : this.budget.mode, capNanos);
    }

    /** How long work that was told to stop may go on before something harsher is done. */
    public long graceNanos() {
        return this.budget.engine.graceNanos();
    }

    /**
     * Where to run what follows when this scope has been cancelled: code of the application, which may block and must
     * not hold up the hooks of other scopes.
     */
    public Executor afterwards() {
        return this.budget.engine.stopper().afterwards();
    }

    /**
     * Runs a task {@linkplain #afterwards() afterwards}, and where a thread is being interrupted for this scope only
     * when that had time to take effect: who waits for the task's result is probably that thread, which has left or
     * is about to, and would find both ends at once.
     */
    public void afterInterrupt(Runnable task) {
        if (isInterrupting()) {
            afterTheRest(task);
        } else {
            afterwards().execute(task);
        }
    }

    /** Runs a task {@linkplain #afterwards() afterwards}, one round later than what is to come first. */
    public void afterTheRest(Runnable task) {
        this.budget.engine.stopper().later(() -> afterwards().execute(task));
    }

    private boolean isInterrupting() {
        for (Scope scope = this; scope != null; scope = scope.parent) {
            ThreadBinding bound = scope.binding;
            if (bound != null && bound.isBeingInterrupted()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String toString() {
        Reason reason = reason();
        return this.kind.name().toLowerCase(Locale.ROOT) + " deadline, "
                + (reason != null ? reason.code() : isBounded() ? remaining().toMillis() + " ms left" : "unbounded");
    }
}
