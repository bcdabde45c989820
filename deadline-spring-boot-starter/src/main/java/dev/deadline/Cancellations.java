package dev.deadline;

import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tells exceptions of work that was called off from those of work that failed. Types are known by name, so that no
 * library has to be present; of a class and its ancestors the nearest known one decides.
 */
final class Cancellations {

    private enum Sign {
        CALLED_OFF,
        /** A time limit of the client: an ordinary failure, whatever the client used to enforce it. */
        TIME_LIMIT,
        /** The connection broke, which means a departed client unless it is one to an upstream. */
        BROKEN_CONNECTION,
        /** What lies inside comes from an upstream. */
        UPSTREAM_CALL,
        NONE
    }

    private static final Function<Throwable, Sign> UNKNOWN = failure -> Sign.NONE;

    // As the code's name is all that the message begins with: "CANCELLED" or "CANCELLED: description".
    private static final Function<Throwable, Sign> GRPC_STATUS =
            calledOffIf(message -> message.startsWith("CANCELLED") || message.startsWith("DEADLINE_EXCEEDED"));

    private static final Function<Throwable, Sign> THROTTLED =
            calledOffIf(message -> message.startsWith("Thread was interrupted while waiting"));

    private static final Map<String, Function<Throwable, Sign>> OF_CLASS_AND_SUBCLASSES = Map.ofEntries(
            Map.entry("dev.deadline.DeadlineExceededException", always(Sign.CALLED_OFF)),
            Map.entry("dev.deadline.StepFailedException", Cancellations::ofStep),
            Map.entry("java.lang.InterruptedException", always(Sign.CALLED_OFF)),
            Map.entry("java.io.InterruptedIOException", always(Sign.CALLED_OFF)),
            Map.entry("java.nio.channels.ClosedByInterruptException", always(Sign.CALLED_OFF)),
            Map.entry("java.util.concurrent.CancellationException", always(Sign.CALLED_OFF)),
            Map.entry("java.util.concurrent.TimeoutException", always(Sign.TIME_LIMIT)),
            Map.entry("java.net.SocketTimeoutException", always(Sign.TIME_LIMIT)),
            Map.entry("java.net.http.HttpTimeoutException", always(Sign.TIME_LIMIT)),
            Map.entry("org.apache.hc.core5.http.ConnectionRequestTimeoutException", always(Sign.TIME_LIMIT)),
            Map.entry("org.apache.http.conn.ConnectTimeoutException", always(Sign.TIME_LIMIT)),
            // Also the wrapper of whatever kept the pool from giving a connection.
            Map.entry(
                    "org.apache.hc.client5.http.impl.classic.RequestFailedException",
                    calledOffIf("Request aborted"::equals)),
            Map.entry("io.grpc.StatusRuntimeException", GRPC_STATUS),
            Map.entry("io.grpc.StatusException", GRPC_STATUS),
            Map.entry("io.lettuce.core.RedisCommandInterruptedException", always(Sign.CALLED_OFF)),
            Map.entry("com.mongodb.MongoInterruptedException", always(Sign.CALLED_OFF)),
            Map.entry("org.apache.kafka.common.errors.InterruptException", always(Sign.CALLED_OFF)),
            Map.entry(
                    "io.github.resilience4j.core.exception.AcquirePermissionCancelledException",
                    always(Sign.CALLED_OFF)),
            Map.entry("org.springframework.retry.backoff.BackOffInterruptedException", always(Sign.CALLED_OFF)),
            Map.entry("org.springframework.resilience.InvocationRejectedException", THROTTLED),
            Map.entry("org.apache.catalina.connector.ClientAbortException", always(Sign.CALLED_OFF)),
            Map.entry(
                    "org.springframework.web.context.request.async.AsyncRequestNotUsableException",
                    always(Sign.CALLED_OFF)),
            Map.entry("org.eclipse.jetty.io.EofException", always(Sign.BROKEN_CONNECTION)),
            Map.entry("java.util.concurrent.ExecutionException", always(Sign.UPSTREAM_CALL)),
            Map.entry("org.springframework.web.client.RestClientException", always(Sign.UPSTREAM_CALL)),
            Map.entry(
                    "org.springframework.web.reactive.function.client.WebClientException", always(Sign.UPSTREAM_CALL)));

    // Types that everybody uses, so that only the message tells.
    private static final Map<String, Function<Throwable, Sign>> OF_CLASS_ITSELF = Map.of(
            // OkHttp.
            "java.io.IOException",
            calledOffIf("Canceled"::equals),
            // OkHttp again: its time for the whole call, and the timeouts of Okio.
            "java.io.InterruptedIOException",
            Cancellations::ofInterruptedIo,
            // The socket of a virtual thread.
            "java.net.SocketException",
            calledOffIf("Closed by interrupt"::equals),
            // Spring's limits for concurrent calls, before those of Spring 7 had a type.
            "java.lang.IllegalStateException",
            THROTTLED);

    // Per class, as walking its ancestors by name is slow.
    private static final ClassValue<Function<Throwable, Sign>> SIGNS = new ClassValue<>() {
        @Override
        protected Function<Throwable, Sign> computeValue(Class<?> type) {
            return signOf(type);
        }
    };

    private Cancellations() {}

    static boolean contains(@Nullable Throwable failure) {
        boolean fromUpstream = false;
        Throwable examined = failure;
        // Bounded, as a chain of causes may be circular.
        for (int depth = 0; depth < 64 && examined != null; depth++) {
            switch (SIGNS.get(examined.getClass()).apply(examined)) {
                case CALLED_OFF -> {
                    return true;
                }
                case TIME_LIMIT -> {
                    return false;
                }
                case BROKEN_CONNECTION -> {
                    return !fromUpstream;
                }
                case UPSTREAM_CALL -> fromUpstream = true;
                case NONE -> {}
            }
            examined = examined.getCause();
        }
        return false;
    }

    private static Function<Throwable, Sign> signOf(Class<?> type) {
        Function<Throwable, Sign> sign = OF_CLASS_ITSELF.get(type.getName());
        for (Class<?> ancestor = type; sign == null && ancestor != null; ancestor = ancestor.getSuperclass()) {
            sign = OF_CLASS_AND_SUBCLASSES.get(ancestor.getName());
        }
        return (sign != null) ? sign : UNKNOWN;
    }

    private static Sign ofStep(Throwable failure) {
        return (failure instanceof StepFailedException step && step.reason() == Reason.UPSTREAM_ERROR)
                ? Sign.NONE
                : Sign.CALLED_OFF;
    }

    private static Sign ofInterruptedIo(Throwable failure) {
        String message = failure.getMessage();
        return "timeout".equals(message) || "deadline reached".equals(message) ? Sign.TIME_LIMIT : Sign.CALLED_OFF;
    }

    private static Function<Throwable, Sign> always(Sign sign) {
        return failure -> sign;
    }

    private static Function<Throwable, Sign> calledOffIf(Predicate<String> test) {
        return failure -> {
            String message = failure.getMessage();
            return (message != null && test.test(message)) ? Sign.CALLED_OFF : Sign.NONE;
        };
    }
}
