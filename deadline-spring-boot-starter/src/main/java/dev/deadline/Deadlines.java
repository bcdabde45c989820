package dev.deadline;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Starts deadlines that belong to no request: for background jobs, and for work that must outlive the request that
 * asked for it. Also tells {@linkplain #isCancellation called off from failed}.
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

    /**
     * Whether an exception says that work was called off, so that there is no sense in trying it again: its time is up,
     * nobody waits for the answer any more, or its thread was told to stop. Meant for predicates that decide about
     * another attempt, such as {@code retryOnException(failure -> !Deadlines.isCancellation(failure))}, and for handlers
     * that would otherwise log as an error what is none.
     *
     * <p>The exception may be wrapped in any others: the whole chain of its causes is looked at, though not what is
     * suppressed. True for
     * <ul>
     * <li>{@link DeadlineExceededException}, and {@link StepFailedException} for every reason but
     * {@link Reason#UPSTREAM_ERROR}, which another attempt may well overcome. The reasons of a gate count too: the
     * refusal is one of the whole request, its caller was told when to come back, and an overloaded server is not helped
     * by attempts of its own.
     * <li>interrupts and cancelled futures: {@link InterruptedException}, {@link java.io.InterruptedIOException},
     * {@link java.nio.channels.ClosedByInterruptException}, {@link java.util.concurrent.CancellationException}, the
     * socket of an interrupted virtual thread, and what Apache HttpClient 5, OkHttp, Lettuce, MongoDB, Kafka,
     * Resilience4j and Spring's retries and concurrency limits throw in their place.
     * <li>gRPC's {@code CANCELLED} and {@code DEADLINE_EXCEEDED}. gRPC hands a deadline on from server to server, so the
     * latter mostly is the deadline of a caller.
     * <li>the departed client of this server: Tomcat's {@code ClientAbortException}, Spring's
     * {@code AsyncRequestNotUsableException} and Jetty's {@code EofException}. Jetty's client throws that one too, so
     * inside an exception of {@code RestClient} or {@code WebClient}, or an
     * {@link java.util.concurrent.ExecutionException}, it is a broken connection to an upstream, and ordinary.
     * </ul>
     *
     * <p>False for the time limits of the clients themselves, which are ordinary failures of one attempt:
     * {@link java.net.SocketTimeoutException}, {@link java.util.concurrent.TimeoutException},
     * {@code HttpTimeoutException} of the JDK, the wait for a connection of Apache HttpClient, the call timeout of
     * OkHttp; also if the client enforced the limit by a cancellation, which is then the cause. False also for any
     * {@link java.sql.SQLException} without such a cause: a statement that was cancelled and one that ran into a query
     * timeout of the application look alike.
     *
     * <p>Looks at the exception only, neither at the deadline nor at the interrupt flag of the calling thread, and may be
     * called from any.
     *
     * @param failure null is no cancellation
     */
    static boolean isCancellation(@Nullable Throwable failure) {
        return Cancellations.contains(failure);
    }

    /** A deadline bound to the thread that started it. */
    interface Started extends AutoCloseable {

        /** The deadline itself. */
        Deadline deadline();

        /** Ends the scope and gives the thread its former deadline back. */
        @Override
        void close();
    }
}
