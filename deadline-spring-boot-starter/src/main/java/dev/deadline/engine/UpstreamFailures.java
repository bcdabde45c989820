package dev.deadline.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

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
            "feign.FeignException",
            "io.github.resilience4j.circuitbreaker.CallNotPermittedException",
            "io.github.resilience4j.bulkhead.BulkheadFullException",
            "io.github.resilience4j.ratelimiter.RequestNotPermitted");

    // Wrappers that say nothing themselves.
    private static final Set<String> REACTOR_WRAPPERS = Set.of("reactor.core.Exceptions$ReactiveException");

    // A failure's class decides unless it is a mere wrapper; per class, as walking its ancestors by name is slow.
    private static final ClassValue<Kind> KINDS = new ClassValue<>() {
        @Override
        protected Kind computeValue(Class<?> type) {
            return kindOf(type);
        }
    };

    private enum Kind {
        FAILURE,
        WRAPPER,
        OTHER
    }

    @Override
    public boolean isUpstreamFailure(Throwable failure) {
        return KINDS.get(unwrapped(failure).getClass()) == Kind.FAILURE;
    }

    /** The first throwable in the chain of causes that is not a mere wrapper. */
    static Throwable unwrapped(Throwable failure) {
        Throwable examined = failure;
        // Bounded, as a chain of causes may be circular.
        for (int depth = 0; depth < 16 && KINDS.get(examined.getClass()) == Kind.WRAPPER; depth++) {
            Throwable cause = examined.getCause();
            if (cause == null) {
                break;
            }
            examined = cause;
        }
        return examined;
    }

    private static Kind kindOf(Class<?> type) {
        if (IOException.class.isAssignableFrom(type)
                || UncheckedIOException.class.isAssignableFrom(type)
                || TimeoutException.class.isAssignableFrom(type)) {
            return Kind.FAILURE;
        }
        if (CompletionException.class.isAssignableFrom(type)
                || ExecutionException.class.isAssignableFrom(type)
                || UndeclaredThrowableException.class.isAssignableFrom(type)
                || REACTOR_WRAPPERS.contains(type.getName())) {
            return Kind.WRAPPER;
        }
        for (Class<?> ancestor = type; ancestor != null; ancestor = ancestor.getSuperclass()) {
            if (FAILURES.contains(ancestor.getName())) {
                return Kind.FAILURE;
            }
        }
        return Kind.OTHER;
    }
}
