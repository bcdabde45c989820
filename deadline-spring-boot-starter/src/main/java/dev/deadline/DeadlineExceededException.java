package dev.deadline;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Time ran out outside a step, or inside one that has yet to apply its policy. Left alone it becomes a 503.
 *
 * @since 0.1
 */
public class DeadlineExceededException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Reason reason;

    private final @Nullable String stepName;

    private final Duration waited;

    private final boolean clamped;

    public DeadlineExceededException(
            @Nullable String stepName, Reason reason, Duration waited, boolean clamped, @Nullable Throwable cause) {
        super(
                (stepName == null
                                ? "The deadline has passed: "
                                : "The deadline of step '" + stepName + "' has passed: ")
                        + reason.code() + " after " + waited.toMillis() + " ms",
                cause);
        this.reason = reason;
        this.stepName = stepName;
        this.waited = waited;
        this.clamped = clamped;
    }

    /** Why the work was stopped or not begun. */
    public Reason reason() {
        return this.reason;
    }

    /** The step whose time it was; null outside a step, and for a call inside one, whose step is yet to be told. */
    public @Nullable String stepName() {
        return this.stepName;
    }

    /** From the start of the work to the decision to stop it; zero if it did not start. */
    public Duration waited() {
        return this.waited;
    }

    /** Whether the work got less than its desired time because the request had no more to give. */
    public boolean clamped() {
        return this.clamped;
    }
}
