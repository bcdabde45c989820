package dev.deadline.engine;

import dev.deadline.Deadline.Registration;
import dev.deadline.DeadlineExceededException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Ends the blocking calls of one connection or exchange when their scope is cancelled, by the client's own means: while
 * a call is inside, the means are tried again every 20 ms; once it has left, never. So what is meant for one call
 * cannot hit the next, whoever makes that.
 *
 * <p>Calls come one after another, each on any thread. Interrupting the thread is not done here: see {@link Section}.
 */
public final class CallGuard implements AutoCloseable {

    /** How a call was left. */
    public enum Exit {

        /** Nothing has been tried. */
        UNTOUCHED,

        /** Something was tried; whether it took effect is for the caller to know. Nothing is being tried any more. */
        STOPPED,

        /** What was tried did not return in time and may take effect at any moment: give the connection up. */
        STILL_BEING_STOPPED
    }

    /** The means by which a client ends a call that blocks. */
    @FunctionalInterface
    public interface Means {

        /**
         * Tries to end the call that is inside. On a thread for that, one attempt at a time; may block. What it throws
         * is logged at debug level.
         *
         * @param sinceFirstNanos how long ago this was tried for the first time; 0 then
         */
        void attempt(long sinceFirstNanos) throws Exception;
    }

    /** How long a call that is over waits for an attempt in flight. */
    public static final long EXIT_LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final int OUTSIDE = 0;

    private static final int INSIDE = 1;

    /** A call is inside, and an attempt to end it is in flight. */
    private static final int STOPPING = 2;

    /** The call has left without waiting for the attempt any longer. Nothing follows. */
    private static final int GIVEN_UP = 3;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(CallGuard.class, "state", int.class);
        } catch (ReflectiveOperationException ex) {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private final Scope scope;

    private final Means means;

    private final Registration registration;

    // By CAS only: closes the race between a call that leaves and an attempt that begins, so that no attempt begins
    // after the call has left and none goes unnoticed.
    private volatile int state = OUTSIDE;

    // Who waits for the attempt in flight. Written before the last look at the state, read after changing it.
    private volatile @Nullable Thread leaver;

    // Both belong to who holds STOPPING; the CAS that ends it publishes them.
    private boolean touched;

    private long firstNanos;

    private CallGuard(Scope scope, Means means) {
        this.scope = scope;
        this.means = means;
        this.registration = scope.onCancel(reason -> attempt());
    }

    /** Guards calls that are ended by these means. What may hang hands over to a thread of its own. */
    public static CallGuard of(Scope scope, Means means) {
        return new CallGuard(scope, means);
    }

    /** The scope whose end ends the calls. */
    public Scope scope() {
        return this.scope;
    }

    /**
     * A call begins.
     *
     * @return false if another call is inside, which is the one that is guarded; then {@link #leave} is not to be called
     * @throws DeadlineExceededException if the time is up: nothing may begin any more
     */
    public boolean enter() {
        if (!STATE.compareAndSet(this, OUTSIDE, INSIDE)) {
            this.scope.checkpoint();
            return false;
        }
        // After the change of state: either this sees the end, or the hook that follows the end sees the call.
        if (this.scope.isExpired()) {
            leave();
            throw this.scope.exceeded(null);
        }
        return true;
    }

    /**
     * The call has returned or thrown. Waits for an attempt in flight, at most 100 ms. Called when no call is inside it
     * says the same again.
     */
    public Exit leave() {
        if (!STATE.compareAndSet(this, INSIDE, OUTSIDE) && !outlastsAttempt()) {
            return Exit.STILL_BEING_STOPPED;
        }
        return this.touched ? Exit.STOPPED : Exit.UNTOUCHED;
    }

    private boolean outlastsAttempt() {
        MonotonicClock clock = clock();
        long limit = clock.nanoTime() + EXIT_LIMIT_NANOS;
        boolean interrupted = false;
        this.leaver = Thread.currentThread();
        try {
            while (!STATE.compareAndSet(this, INSIDE, OUTSIDE)) {
                int seen = this.state;
                if (seen == OUTSIDE || seen == GIVEN_UP) {
                    return seen == OUTSIDE;
                }
                long left = limit - clock.nanoTime();
                if (left <= 0 && STATE.compareAndSet(this, STOPPING, GIVEN_UP)) {
                    return false;
                }
                LockSupport.parkNanos(this, left);
                // Or it would not park again.
                interrupted |= Thread.interrupted();
            }
            return true;
        } finally {
            this.leaver = null;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void attempt() {
        if (!STATE.compareAndSet(this, INSIDE, STOPPING)) {
            return;
        }
        long now = clock().nanoTime();
        if (!this.touched) {
            this.touched = true;
            this.firstNanos = now;
        }
        try {
            this.means.attempt(now - this.firstNanos);
        } catch (Throwable ex) {
            EngineLog.debug("A call could not be ended this time", ex);
        }
        if (STATE.compareAndSet(this, STOPPING, INSIDE)) {
            LockSupport.unpark(this.leaver);
            // On the timer thread, which only hands over.
            stopper().later(() -> stopper().onHookThread(this::attempt));
        }
    }

    private Stopper stopper() {
        return this.scope.budget.engine.stopper();
    }

    private MonotonicClock clock() {
        return this.scope.budget.engine.clock();
    }

    /** Ends the guarding; the calls are over. */
    @Override
    public void close() {
        this.registration.close();
    }
}
