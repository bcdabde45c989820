package dev.deadline.gateway;

/** The queue in which requests wait for a thread. Thread-safe; asked once for each request. */
public interface ArrivalQueue {

    /**
     * Whether nothing waits in it.
     *
     * @param waitedNanos how long the last one that left it had waited, for queues that do not tell
     */
    boolean isEmpty(long waitedNanos);

    /** How many pieces of work have been put into it since it exists. */
    long arrivals();
}
