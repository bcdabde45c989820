package dev.deadline.resilience4j;

import dev.deadline.Reason;
import dev.deadline.engine.Scope;
import org.jspecify.annotations.Nullable;

/** What a breaker is to make of a call. */
enum BreakerVerdict {

    /** Time has nothing to do with it: the breaker's own rules hold. */
    BY_ITS_RULES,

    /** The upstream had all the time that it was to have, and did not answer. */
    FAILURE,

    /** It says nothing about the upstream: the call is as if it had not been made. */
    NEUTRAL;

    /**
     * Judges a call that failed.
     *
     * @param scope the deadline of the call; null for none
     * @param countClamped whether a call with less than its desired time counts as any other
     */
    static BreakerVerdict of(@Nullable Throwable failure, @Nullable Scope scope, boolean countClamped) {
        if (failure instanceof AbandonedException) {
            return NEUTRAL;
        }
        Stops stop = Stops.of(failure);
        if (stop != null) {
            return stop.isBeforeTheCall() ? NEUTRAL : of(stop.reason(), stop.clamped(), countClamped);
        }
        // Whatever a client throws when it is stopped: that its time was up is what counts.
        return (scope != null && scope.isExpired()) ? ofCancelled(scope, countClamped) : BY_ITS_RULES;
    }

    /** Judges a call that did not fail, or was not waited for any longer. */
    static BreakerVerdict of(@Nullable Scope scope, boolean countClamped) {
        return (scope != null && scope.reason() != null) ? ofCancelled(scope, countClamped) : BY_ITS_RULES;
    }

    private static BreakerVerdict ofCancelled(Scope scope, boolean countClamped) {
        Reason reason = scope.reason();
        return of((reason != null) ? reason : Reason.UPSTREAM_TIMEOUT, scope.isClamped(), countClamped);
    }

    private static BreakerVerdict of(Reason reason, boolean clamped, boolean countClamped) {
        return (reason == Reason.CLIENT_ABORT || clamped && !countClamped) ? NEUTRAL : FAILURE;
    }
}
