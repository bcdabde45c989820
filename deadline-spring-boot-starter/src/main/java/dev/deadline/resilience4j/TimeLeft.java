package dev.deadline.resilience4j;

import dev.deadline.DeadlineExceededException;
import dev.deadline.Reason;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import dev.deadline.engine.StepDefinition;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The deadline that a call of Resilience4j counts under, and what to throw when it does not suffice. */
final class TimeLeft {

    private TimeLeft() {}

    /** The deadline of the calling thread; null if it has none, or one that is only observed. */
    static @Nullable Scope current() {
        Scope scope = DeadlineEngine.currentScope();
        return (scope != null && scope.isEnforced()) ? scope : null;
    }

    /**
     * The same, for looking at it later or on another thread: what was carried to a thread ends when it is left there,
     * and then tells no more of what becomes of the call.
     */
    static @Nullable Scope ofCall() {
        Scope scope = current();
        return (scope != null) ? scope.origin() : null;
    }

    /** Whether something useful can begin after a wait. */
    static boolean isEnoughFor(Scope scope, Duration wait) {
        if (scope.isExpired()) {
            return false;
        }
        Duration remaining = scope.remaining();
        return !scope.isBounded()
                || remaining.compareTo(wait) > 0
                        && remaining.minus(wait).toNanos() >= StepDefinition.DEFAULT_MINIMUM_NANOS;
    }

    /** Time was up while a call waited. */
    static DeadlineExceededException stopped(Scope scope, String awaited) {
        return scope.exceeded(new WaitStoppedException(awaited));
    }

    /** A wait was not begun, as it would take longer than there is time. That time goes on. */
    static DeadlineExceededException isTooShort(Scope scope, String awaited) {
        return new DeadlineExceededException(
                null, Reason.BUDGET_EXHAUSTED, Duration.ZERO, scope.isClamped(), new WaitStoppedException(awaited));
    }

    /** Throws if there is no time left; does nothing without a deadline. */
    static void check() {
        Scope scope = current();
        if (scope != null && scope.isExpired()) {
            throw scope.exceeded(null);
        }
    }
}
