package dev.deadline;

import java.time.Duration;

/**
 * Starts deadlines that belong to no request: for background jobs, and for work that must outlive the request that
 * asked for it.
 *
 * @since 0.1
 */
public interface Deadlines {

    /**
     * Starts a deadline on the calling thread. It hides the one the thread had until it is closed, and is neither
     * shortened nor cancelled by it.
     *
     * @param budget positive
     * @return to be closed on the same thread, in a try-with-resources
     * @throws IllegalArgumentException if the budget is zero or negative
     */
    Started start(Duration budget);

    /**
     * Detaches work from the request that asks for it, as for an audit record or a compensation: the returned task may
     * be handed to any executor, where it runs under a fresh deadline of its own and is not touched by the end of the
     * request.
     *
     * @param cap the time the work has, counted from when it begins to run; positive
     * @throws IllegalArgumentException if the cap is zero or negative
     */
    Runnable detached(Duration cap, Runnable task);

    /** A deadline bound to the thread that started it. */
    interface Started extends AutoCloseable {

        /** The deadline itself. */
        Deadline deadline();

        /** Ends the scope and gives the thread its former deadline back. */
        @Override
        void close();
    }
}
