package dev.deadline.engine;

import dev.deadline.Deadline;
import dev.deadline.Reason;

/**
 * How a part further in refuses the request of the calling thread before any work: the value of the request attribute
 * {@link Scope#KEY}. The answer is written when the caller returns without having called the rest of the chain.
 */
public interface RequestAnswer {

    /** What {@link #queuedNanos()} says when nothing is known. */
    long UNKNOWN = -1;

    /** The deadline of the request; without end if its path has no budget. */
    Deadline deadline();

    /** How long the request waited for its thread in the container's queue; {@link #UNKNOWN} if that is not known. */
    long queuedNanos();

    /** Whether its time is up, by the clock. */
    boolean isOver();

    /**
     * Refuses the request. Headers that the response has already are kept, unless they are about its content.
     *
     * @param status of the answer
     * @param retryAfterSeconds what the client is told to wait; at least 1
     */
    void refuse(Reason reason, int status, long retryAfterSeconds);
}
