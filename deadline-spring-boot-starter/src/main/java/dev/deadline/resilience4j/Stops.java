package dev.deadline.resilience4j;

import dev.deadline.DeadlineExceededException;
import dev.deadline.Reason;
import dev.deadline.StepFailedException;
import org.jspecify.annotations.Nullable;

/**
 * What an exception says about time, through all that it has been wrapped in.
 *
 * @param failure the exception that says it
 * @param reason whose time it was
 * @param clamped whether that was less than was asked for
 */
record Stops(RuntimeException failure, Reason reason, boolean clamped) {

    // Bounded, as a chain of causes may be circular.
    private static final int DEPTH = 16;

    /** Null if it says nothing. */
    static @Nullable Stops of(@Nullable Throwable thrown) {
        Throwable examined = thrown;
        for (int depth = 0; depth < DEPTH && examined != null; depth++) {
            if (examined instanceof DeadlineExceededException exceeded) {
                return new Stops(exceeded, exceeded.reason(), exceeded.clamped());
            }
            if (examined instanceof StepFailedException step) {
                return (step.reason() == Reason.UPSTREAM_ERROR) ? null : new Stops(step, step.reason(), step.clamped());
            }
            examined = examined.getCause();
        }
        return null;
    }

    /** Whether it was decided while the call waited for a permit, so that its upstream had not been asked. */
    boolean isInWait() {
        Throwable examined = this.failure.getCause();
        for (int depth = 0; depth < DEPTH && examined != null; depth++) {
            if (examined instanceof WaitStoppedException) {
                return true;
            }
            examined = examined.getCause();
        }
        return false;
    }

    /** Whether another attempt is senseless: not if a step further in had used up the time of its own. */
    boolean isFinal() {
        return !(this.failure instanceof StepFailedException && this.reason == Reason.UPSTREAM_TIMEOUT);
    }
}
