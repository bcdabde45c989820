package dev.deadline.engine;

import dev.deadline.Deadline.Registration;
import dev.deadline.DeadlineListener;
import dev.deadline.DeadlineListener.RequestEvent;
import dev.deadline.Outcome;
import dev.deadline.Reason;
import dev.deadline.engine.Section.Access;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The engine of one application: opens scopes, binds them to threads, and owns the watchdog. Thread-safe. */
public final class DeadlineEngine implements AutoCloseable {

    // The step of what belongs to no request. No step is called so, for names have no spaces.
    private static final String JOB = "background job";

    private final MonotonicClock clock;

    private final Watchdog watchdog;

    private final Stopper stopper;

    private final EngineSettings settings;

    private final ModeSwitch mode;

    private final FailureClassifier failures;

    private final Listeners listeners;

    private final LongAdder inFlight = new LongAdder();

    DeadlineEngine(
            MonotonicClock clock,
            Watchdog watchdog,
            EngineSettings settings,
            ModeSwitch mode,
            FailureClassifier failures,
            List<? extends DeadlineListener> listeners) {
        this.clock = clock;
        this.watchdog = watchdog;
        this.settings = settings;
        this.mode = mode;
        this.failures = failures;
        this.listeners = new Listeners(listeners);
        this.stopper = new Stopper(clock, watchdog, settings, this.listeners);
    }

    /** An engine on the system's monotonic clock, with a watchdog thread of its own. */
    public static DeadlineEngine start(
            EngineSettings settings,
            ModeSwitch mode,
            FailureClassifier failures,
            List<? extends DeadlineListener> listeners) {
        MonotonicClock clock = MonotonicClock.SYSTEM;
        return new DeadlineEngine(clock, new ThreadWatchdog(clock).start(), settings, mode, failures, listeners);
    }

    public MonotonicClock clock() {
        return this.clock;
    }

    /** The global mode, for a request or step that has none of its own. */
    public Mode mode() {
        return this.mode.mode();
    }

    Watchdog watchdog() {
        return this.watchdog;
    }

    Stopper stopper() {
        return this.stopper;
    }

    FailureClassifier failures() {
        return this.failures;
    }

    /** All listeners as one; what they throw is dropped. */
    public DeadlineListener listeners() {
        return this.listeners;
    }

    /** How many requests have begun and not ended. */
    public long inFlight() {
        return this.inFlight.sum();
    }

    /** How many times cancel hooks had to wait for another round because every thread for them was busy. */
    public long delayedHooks() {
        return this.stopper.delayedHooks();
    }

    /**
     * Opens the scope of a request; {@link #finishRequest} ends it.
     *
     * @param startNanos when the container got it, by {@link #clock()}
     * @param budgetNanos its length; {@link Budget#UNBOUNDED} for none
     * @param reserveNanos what ordinary steps never get
     * @param requestMode not {@link Mode#OFF}
     * @param shortened whether a caller gave less than was configured
     */
    public Scope openRequest(
            long startNanos, long budgetNanos, long reserveNanos, Mode requestMode, boolean shortened) {
        StepLedger ledger = new StepLedger(this.settings.timed());
        long margin = this.settings.answerMarginNanos();
        Budget budget = new Budget(this, budgetNanos, reserveNanos, margin, requestMode, shortened, ledger);
        Scope scope = new Scope(budget, null, Scope.Kind.REQUEST, StepDefinition.REQUEST, startNanos, budgetNanos);
        this.inFlight.increment();
        scope.armNested();
        return scope;
    }

    /**
     * Ends the scope of a request and reports it. To be called once.
     *
     * @param outcome what became of it, unless it was cancelled, degraded, or observed to take too long
     * @param reason why; null if nothing went wrong
     * @param queuedNanos how long it waited for a thread; {@link RequestAnswer#UNKNOWN} if that is not known
     */
    public void finishRequest(Scope request, Outcome outcome, @Nullable Reason reason, long queuedNanos) {
        this.inFlight.decrement();
        long now = request.now();
        boolean inTime = request.complete();
        Scope.End cancelled = request.cancellation();
        Outcome reported = outcome;
        Reason reportedReason = reason;
        if (outcome == Outcome.REFUSED) {
            // No work was done that the time could have ended, whichever of the two came first.
            cancelled = null;
        } else if (!inTime && cancelled != null) {
            reported = (cancelled.reason() == Reason.CLIENT_ABORT) ? Outcome.ABORTED : Outcome.FAILED;
            reportedReason = cancelled.reason();
        } else if (!request.isEnforced() && request.isBounded() && now - request.endNanos >= 0) {
            reported = Outcome.FAILED;
            reportedReason = Reason.BUDGET_EXHAUSTED;
        } else if (outcome == Outcome.OK) {
            StepLedger ledger = request.ledger();
            if (ledger != null && ledger.isDegraded()) {
                reported = Outcome.DEGRADED;
                reportedReason = ledger.entries().get(0).reason();
            }
        }
        if (cancelled != null) {
            this.listeners.overran(StepDefinition.REQUEST, now - cancelled.atNanos());
        }
        this.listeners.requestFinished(new RequestEvent(
                reported,
                reportedReason,
                now - request.startNanos,
                request.budget.lengthNanos,
                request.budget.shortened,
                request.isEnforced(),
                queuedNanos));
    }

    /** Starts a deadline that belongs to no request. */
    Scope openJob(Mode jobMode, long budgetNanos) {
        Budget budget = new Budget(this, budgetNanos, 0, 0, jobMode, false, null);
        Scope scope = new Scope(budget, null, Scope.Kind.JOB, JOB, budget.now(), budgetNanos);
        scope.armNested();
        return scope;
    }

    /** Binds a request's scope to the calling thread, which works for it until the section is closed. */
    public Section bind(Scope scope) {
        Access access = (this.settings.interrupt() == InterruptPolicy.ANYWHERE) ? Access.OPEN : Access.RESTING;
        return ThreadBinding.enter(scope, access, true);
    }

    /** As {@link #bind}, but nothing interrupts the thread: for writing an answer. */
    public Section bindShielded(Scope scope) {
        return ThreadBinding.enter(scope, Access.SHIELDED, true);
    }

    /** Holds interrupts back until the section is closed; what was pending is delivered then. */
    public static Section shield() {
        return ThreadBinding.enter(Access.SHIELDED);
    }

    Section enterStep(Scope scope, boolean interrupt) {
        return ThreadBinding.enter(scope, interrupt ? interruptibleAccess() : Access.RESTING, true);
    }

    private Access interruptibleAccess() {
        return (this.settings.interrupt() == InterruptPolicy.NEVER) ? Access.RESTING : Access.OPEN;
    }

    /**
     * Lets the calling thread be interrupted when its time is up, until the section is closed: around a call of a client
     * that an interrupt ends cleanly. Has no effect inside a {@linkplain #shield() shield}, without a deadline, and
     * where the settings forbid interrupts.
     */
    public static Section interruptible() {
        return interruptible(Access.OPEN);
    }

    /**
     * As {@link #interruptible()}, but the thread is interrupted only if it is still inside 20 ms after its time was up:
     * around a call that is ended by other means, which do not reach all of it, such as a pause before another attempt.
     */
    public static Section interruptibleLate() {
        return interruptible(Access.LATE);
    }

    /** Whether the calling thread is in a section in which it is interrupted when its time is up. */
    public static boolean isInterruptible() {
        return ThreadBinding.currentAccess() == Access.OPEN;
    }

    private static Section interruptible(Access wanted) {
        Scope scope = currentScope();
        boolean allowed = scope != null && scope.budget.engine.interruptibleAccess() == Access.OPEN;
        if (scope != null && allowed) {
            scope.attach();
        }
        return ThreadBinding.enter(scope, allowed ? wanted : Access.RESTING, false);
    }

    /**
     * Runs a task of the library's own once after a delay, on a pool that runs nothing of the application's. Closing the
     * registration takes it back if it has not begun.
     */
    public Registration schedule(long delayNanos, Runnable task) {
        return this.stopper.schedule(delayNanos, () -> this.stopper.chores().execute(task));
    }

    /** How long work that was told to stop may go on before something harsher is done. */
    public long graceNanos() {
        return this.settings.graceNanos();
    }

    /** The innermost scope of the calling thread; null if it has none. */
    public static @Nullable Scope currentScope() {
        return ThreadBinding.currentScope();
    }

    /**
     * Makes a deadline count on the calling thread, which is not the one it was opened for. What runs in the section
     * is bounded by the same end, also after the work the deadline was opened for is over; it does not go on longer
     * than that, and is cancelled with it.
     *
     * @param from null to hide the deadline that the thread has
     */
    public static Section carry(@Nullable Scope from) {
        if (from == null) {
            return ThreadBinding.enter(null, Access.RESTING, false);
        }
        if (from == currentScope()) {
            return ThreadBinding.enterAgain();
        }
        return ThreadBinding.enter(carried(from), Access.RESTING, true);
    }

    /**
     * As {@link #carry}, for work that belongs to no thread. It hears of the end of its time once it has a hook.
     *
     * @return to be {@linkplain Scope#complete() completed} when the work has ended
     */
    public static Scope carried(Scope from) {
        long start = from.now();
        long length = from.isBounded() ? Math.max(0, from.endNanos - start) : Budget.UNBOUNDED;
        return new Scope(from.budget, from.origin(), Scope.Kind.CARRIED, from.name, start, length);
    }

    /** Stops the watchdog and its helpers. Deadlines that are open are not enforced any more. */
    @Override
    public void close() {
        this.watchdog.close();
        this.stopper.close();
    }
}
