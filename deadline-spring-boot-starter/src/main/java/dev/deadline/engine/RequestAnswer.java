package dev.deadline.engine;

import dev.deadline.Reason;

/**
 * What a part further in knows of the request of the calling thread, and how it refuses it before any work: the value of
 * the request attribute {@link Scope#KEY}. The answer is written when the caller returns without having called the rest
 * of the chain.
 */
public interface RequestAnswer {

    /** What {@link #queuedNanos()} says when nothing is known. */
    long UNKNOWN = -1;

    /** How long the request waited for its thread in the container's queue; {@link #UNKNOWN} if that is not known. */
    long queuedNanos();

    /** What is left of its budget at a reading of the engine's clock; {@link Budget#UNBOUNDED} if it has none. */
    long remainingNanos(long now);

    /** Whether its time is up, by the clock. */
    boolean isOver();

    /** Whether nobody waits for the answer any more. */
    boolean isAborted();

    /** Whether it may be refused; otherwise it is only observed. */
    boolean isEnforced();

    /** Whether it has been refused by {@link #refuse}. */
    boolean isRefused();

    /**
     * Has a task run when the application's answer begins to go out, and so is in time whatever follows; not at all if
     * everything else ends first. Replaces the task that was given before.
     *
     * @param task runs on the thread that writes, while no other can, so it must be short; maybe more than once
     */
    void onBegin(Runnable task);

    /**
     * Refuses the request. Headers that the response has already are kept, unless they are about its content.
     *
     * @param status of the answer
     * @param retryAfterSeconds what the client is told to wait; at least 1
     */
    void refuse(Reason reason, int status, long retryAfterSeconds);
}
