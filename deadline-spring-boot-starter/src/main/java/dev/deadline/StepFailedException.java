package dev.deadline;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A step did not answer and its policy was to fail. Left alone it becomes a 503 with {@code Retry-After}; an
 * application that wants another answer declares an exception handler for exactly this type.
 *
 * @since 0.1
 */
public class StepFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Reason reason;

    private final String stepName;

    private final Duration waited;

    private final boolean clamped;

    public StepFailedException(
            String stepName, Reason reason, Duration waited, boolean clamped, @Nullable Throwable cause) {
        super("Step '" + stepName + "' failed: " + reason.code() + " after " + waited.toMillis() + " ms", cause);
        this.reason = reason;
        this.stepName = stepName;
        this.waited = waited;
        this.clamped = clamped;
    }

    /** Why the step failed. */
    public Reason reason() {
        return this.reason;
    }

    /** The step that failed. */
    public String stepName() {
        return this.stepName;
    }

    /** From the start of the step to the decision that it failed; zero if it did not start. */
    public Duration waited() {
        return this.waited;
    }

    /** Whether the step got less than its desired time because the request had no more to give. */
    public boolean clamped() {
        return this.clamped;
    }
}
