package dev.deadline;

/**
 * What becomes of the request when a step runs out of time or its upstream fails. Chosen in code, next to the step,
 * and never changed by configuration.
 *
 * @since 0.1
 */
public enum OnTimeout {

    /** The step answers with its fallback and the request goes on; the response is marked as degraded. */
    OPEN,

    /** The request is refused: the step throws {@link StepFailedException}, which becomes a 503 with Retry-After. */
    CLOSED
}
