package dev.deadline;

import org.jspecify.annotations.Nullable;

/**
 * Hears how steps and requests ended. Every bean of this type is called, in order, on the thread that decided, which
 * may be inside the response time of a request: return quickly. What a listener throws is logged and dropped.
 *
 * <p>All lengths are nanoseconds on the monotonic clock.
 *
 * @since 0.1
 */
public interface DeadlineListener {

    /** A step ended, in whatever way. Called once for each run of a step. */
    default void stepFinished(StepEvent event) {}

    /** The fallback of a step failed too, so the request was refused although the step is open. */
    default void fallbackFailed(StepEvent event) {}

    /** Work was told to stop and left its scope this much later; the step is {@code request} outside any step. */
    default void overran(String step, long overrunNanos) {}

    /**
     * Work was told to stop and still goes on, after ten times {@code deadline.watchdog.grace}. Called once for each
     * deadline, on a thread of the library's, while the work goes on; {@link #overran} follows if it ever ends.
     *
     * @param step the innermost step that the thread is in; {@code request} outside any step
     * @param overrunNanos how long it has gone on so far
     * @param stack what the thread was doing at that moment, innermost frame first
     */
    default void overrunning(String step, long overrunNanos, StackTraceElement[] stack) {}

    /**
     * An outbound call found no deadline, in a thread that belongs to no request: either a background job that starts
     * none, or a thread that work was handed to without its deadline.
     *
     * @param client what made the call: {@code http}, {@code jdbc} or {@code webclient}
     */
    default void unboundedCall(String client) {}

    /** A request ended, in whatever way. */
    default void requestFinished(RequestEvent event) {}

    /** A deadline that a caller sent in a header was not taken, because it could not be read. */
    default void inboundIgnored(String header) {}

    /** The gate refused a request before any work, or would have. Its {@link #requestFinished} follows. */
    default void gateRefused(GateEvent event) {}

    /**
     * One token came from many places: it may have been passed on, or stolen. Told once for each token while it goes on;
     * nothing is refused for it.
     *
     * @param token stands for the token: some digits of a hash with a secret key, never anything of the token itself
     * @param addresses about how many addresses or networks it came from
     */
    default void tokenShared(String token, int addresses) {}

    /**
     * The store that instances share for their rate limits did not answer in time, or failed, so that a request was let
     * in that it might have refused.
     */
    default void limitStoreFailed() {}

    /**
     * How a step ended.
     *
     * @param step its name
     * @param outcome how it ended
     * @param reason why it did not answer; null if it did, if the application's own exception left it, and if the
     *     failure belongs to another step
     * @param cause which guard on our side of the upstream refused the call; only with {@link Reason#UPSTREAM_ERROR},
     *     null for every other failure
     * @param policy what the step was to do then
     * @param waitedNanos from its start to the decision; 0 if it did not start
     * @param budgetLeftNanos what the request had left at the decision; the largest long without a budget
     * @param timeoutNanos the time it was given; the largest long if not limited
     * @param clamped whether that was less than it asked for
     * @param enforced false if this is what would have happened, had the mode not been {@code observe}
     */
    record StepEvent(
            String step,
            Outcome outcome,
            @Nullable Reason reason,
            @Nullable Refusal cause,
            OnTimeout policy,
            long waitedNanos,
            long budgetLeftNanos,
            long timeoutNanos,
            boolean clamped,
            boolean enforced) {}

    /**
     * How a request ended.
     *
     * @param outcome how it ended
     * @param reason why it was stopped, refused or first degraded; null if it was not
     * @param durationNanos from the start of its budget to its end
     * @param budgetNanos its budget; the largest long without one
     * @param clamped whether a caller gave it less than was configured
     * @param enforced false if this is what would have happened, had the mode not been {@code observe}
     * @param queuedNanos how long it waited for a thread in the queue of the container; -1 if that is not known
     */
    record RequestEvent(
            Outcome outcome,
            @Nullable Reason reason,
            long durationNanos,
            long budgetNanos,
            boolean clamped,
            boolean enforced,
            long queuedNanos) {}

    /**
     * A request that the gate refused.
     *
     * @param reason {@link Reason#SHED} or {@link Reason#RATE_LIMITED}
     * @param cause what is behind it
     * @param priority of the request
     * @param waitedNanos how long it waited for a thread; 0 if that is not known
     * @param enforced false if this is what would have happened, had the gate not only observed
     */
    record GateEvent(Reason reason, GateCause cause, Priority priority, long waitedNanos, boolean enforced) {}
}
