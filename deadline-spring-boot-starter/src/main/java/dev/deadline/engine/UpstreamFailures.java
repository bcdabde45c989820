package dev.deadline.engine;

import dev.deadline.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The default: I/O failures, timeouts, whatever an HTTP client throws, and the resource, connection, timeout and
 * transient errors of databases. Types of libraries are known by name, so that none of them has to be present.
 */
public final class UpstreamFailures implements FailureClassifier {

    private static final Set<String> FAILURES = Set.of(
            "java.sql.SQLTransientException",
            "java.sql.SQLRecoverableException",
            "java.sql.SQLNonTransientConnectionException",
            "org.springframework.web.client.RestClientException",
            "org.springframework.web.reactive.function.client.WebClientException",
            "org.springframework.web.reactive.function.UnsupportedMediaTypeException",
            "org.springframework.core.codec.DecodingException",
            "org.springframework.core.io.buffer.DataBufferLimitException",
            "org.springframework.dao.DataAccessResourceFailureException",
            "org.springframework.dao.TransientDataAccessException",
            "org.springframework.dao.RecoverableDataAccessException",
            "org.springframework.transaction.CannotCreateTransactionException",
            "org.springframework.transaction.TransactionTimedOutException",
            "feign.FeignException");

    // Failures of the upstream as well, though it was not asked.
    private static final Map<String, Refusal> REFUSALS = Map.of(
            "io.github.resilience4j.circuitbreaker.CallNotPermittedException", Refusal.BREAKER_OPEN,
            "io.github.resilience4j.bulkhead.BulkheadFullException", Refusal.BULKHEAD_FULL,
            "io.github.resilience4j.ratelimiter.RequestNotPermitted", Refusal.RATE_LIMITED);

    // Wrappers that say nothing themselves.
    private static final Set<String> REACTOR_WRAPPERS = Set.of("reactor.core.Exceptions$ReactiveException");

    // A failure's class decides unless it is a mere wrapper; per class, as walking its ancestors by name is slow.
    private static final ClassValue<Meaning> MEANINGS = new ClassValue<>() {
        @Override
        protected Meaning computeValue(Class<?> type) {
            return meaningOf(type);
        }
    };

    private enum Kind {
        FAILURE,
        WRAPPER,
        OTHER
    }

    private record Meaning(Kind kind, @Nullable Refusal refusal) {

        Meaning(Kind kind) {
            this(kind, null);
        }
    }

    @Override
    public boolean isUpstreamFailure(Throwable failure) {
        return meaning(unwrapped(failure)).kind() == Kind.FAILURE;
    }

    /** Which refusal on our side of the upstream the failure is, through mere wrappers; null if it is none. */
    static @Nullable Refusal refusal(@Nullable Throwable failure) {
        return (failure != null) ? meaning(unwrapped(failure)).refusal() : null;
    }

    /** The first throwable in the chain of causes that is not a mere wrapper. */
    static Throwable unwrapped(Throwable failure) {
        Throwable examined = failure;
        // Bounded, as a chain of causes may be circular.
        for (int depth = 0; depth < 16 && meaning(examined).kind() == Kind.WRAPPER; depth++) {
            Throwable cause = examined.getCause();
            if (cause == null) {
                break;
            }
            examined = cause;
        }
        return examined;
    }

    private static Meaning meaning(Throwable failure) {
        return MEANINGS.get(failure.getClass());
    }

    private static Meaning meaningOf(Class<?> type) {
        if (IOException.class.isAssignableFrom(type)
                || UncheckedIOException.class.isAssignableFrom(type)
                || TimeoutException.class.isAssignableFrom(type)) {
            return new Meaning(Kind.FAILURE);
        }
        if (CompletionException.class.isAssignableFrom(type)
                || ExecutionException.class.isAssignableFrom(type)
                || UndeclaredThrowableException.class.isAssignableFrom(type)
                || REACTOR_WRAPPERS.contains(type.getName())) {
            return new Meaning(Kind.WRAPPER);
        }
        for (Class<?> ancestor = type; ancestor != null; ancestor = ancestor.getSuperclass()) {
            Refusal refusal = REFUSALS.get(ancestor.getName());
            if (refusal != null || FAILURES.contains(ancestor.getName())) {
                return new Meaning(Kind.FAILURE, refusal);
            }
        }
        return new Meaning(Kind.OTHER);
    }
}
