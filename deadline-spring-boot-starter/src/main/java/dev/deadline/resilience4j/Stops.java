package dev.deadline.resilience4j;

import dev.deadline.DeadlineExceededException;
import dev.deadline.Reason;
import dev.deadline.StepFailedException;
import dev.deadline.engine.Causes;
import org.jspecify.annotations.Nullable;

/**
 * What an exception says about time, through all that it has been wrapped in.
 *
 * @param failure the exception that says it
 * @param reason whose time it was
 * @param clamped whether that was less than was asked for
 * @param started whether what it was for had begun; true if that is not known
 */
record Stops(RuntimeException failure, Reason reason, boolean clamped, boolean started) {

    /** Null if it says nothing. */
    static @Nullable Stops of(@Nullable Throwable thrown) {
        for (Throwable examined : Causes.of(thrown)) {
            if (examined instanceof DeadlineExceededException exceeded) {
                return of(exceeded);
            }
            if (examined instanceof StepFailedException step) {
                return of(step);
            }
        }
        return null;
    }

    private static Stops of(DeadlineExceededException exceeded) {
        // Of a call that is no step the beginning is not known: its deadline may have been carried to where it was
        // stopped just then.
        boolean started = exceeded.stepName() == null || !exceeded.waited().isZero();
        return new Stops(exceeded, exceeded.reason(), exceeded.clamped(), started);
    }

    private static @Nullable Stops of(StepFailedException step) {
        boolean started = !step.waited().isZero();
        return (step.reason() == Reason.UPSTREAM_ERROR)
                ? null
                : new Stops(step, step.reason(), step.clamped(), started);
    }

    /** Whether the upstream had not been asked: a step did not start, or the call waited for a permit. */
    boolean isBeforeTheCall() {
        return !this.started || Causes.of(this.failure).stream().anyMatch(WaitStoppedException.class::isInstance);
    }

    /** Whether another attempt is senseless: not if a step further in had used up the time of its own. */
    boolean isFinal() {
        return !(this.failure instanceof StepFailedException && this.reason == Reason.UPSTREAM_TIMEOUT);
    }
}
