package dev.deadline.gateway;

/** The queue in which requests wait for a thread. Thread-safe; asked once for each request. */
@FunctionalInterface
public interface ArrivalQueue {

    /** Says that nothing is known of the queue, which is not the same as an empty one. */
    int UNKNOWN = -1;

    /** How much waits in it; {@link #UNKNOWN} if that cannot be told. */
    int size();
}
