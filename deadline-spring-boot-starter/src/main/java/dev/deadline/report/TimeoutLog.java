package dev.deadline.report;

import dev.deadline.DeadlineListener;
import dev.deadline.OnTimeout;
import dev.deadline.Outcome;
import dev.deadline.Reason;
import dev.deadline.engine.StepDefinition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Writes one event to the logger {@value #LOGGER} for every step that did not answer, for every fallback that failed
 * too, and for every request whose whole budget ended. Thread-safe.
 *
 * <p>The message is one line of JSON, and the same fields are key-values of the event. The {@code event} is
 * {@code deadline.timeout} when time ran out; otherwise it ends in the reason, as in {@code deadline.upstream_error}.
 * What changed an answer is a WARN; what would have done so in observe mode, and what nobody waited for any more, is
 * an INFO.
 */
public final class TimeoutLog implements DeadlineListener {

    /** The name of the logger. */
    public static final String LOGGER = "deadline.timeout";

    private static final Logger logger = LoggerFactory.getLogger(LOGGER);

    @Override
    public void stepFinished(StepEvent event) {
        Reason reason = event.reason();
        if (reason != null) {
            fields(nameOf(reason), reason, event).log(logger, levelOf(reason, event.enforced()));
        }
    }

    @Override
    public void fallbackFailed(StepEvent event) {
        Reason reason = event.reason();
        if (reason != null) {
            fields("deadline.fallback_failed", reason, event).log(logger, levelOf(reason, event.enforced()));
        }
    }

    @Override
    public void requestFinished(RequestEvent event) {
        Reason reason = event.reason();
        if (reason != Reason.BUDGET_EXHAUSTED || !isOverAsAWhole(event)) {
            return;
        }
        EventFields fields = new EventFields(
                nameOf(reason),
                StepDefinition.REQUEST,
                reason,
                null,
                event.durationNanos(),
                Math.max(0, event.budgetNanos() - event.durationNanos()),
                OnTimeout.CLOSED,
                event.budgetNanos(),
                event.clamped(),
                event.enforced());
        fields.log(logger, levelOf(reason, event.enforced()));
    }

    // A request that failed earlier did so for a step that found no time left, and that has its own event.
    private static boolean isOverAsAWhole(RequestEvent event) {
        return event.outcome() == Outcome.REFUSED || event.durationNanos() >= event.budgetNanos();
    }

    private static EventFields fields(String name, Reason reason, StepEvent event) {
        return new EventFields(
                name,
                event.step(),
                reason,
                event.cause(),
                event.waitedNanos(),
                event.budgetLeftNanos(),
                event.policy(),
                event.timeoutNanos(),
                event.clamped(),
                event.enforced());
    }

    private static String nameOf(Reason reason) {
        return switch (reason) {
            case UPSTREAM_TIMEOUT, BUDGET_EXHAUSTED -> "deadline.timeout";
            case CLIENT_ABORT, UPSTREAM_ERROR, SHED, RATE_LIMITED -> "deadline." + reason.code();
        };
    }

    private static Level levelOf(Reason reason, boolean enforced) {
        return (enforced && reason != Reason.CLIENT_ABORT) ? Level.WARN : Level.INFO;
    }
}
