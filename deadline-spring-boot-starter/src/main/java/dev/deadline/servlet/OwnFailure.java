package dev.deadline.servlet;

import dev.deadline.DeadlineExceededException;
import dev.deadline.StepFailedException;
import jakarta.servlet.ServletException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Finds this library's exceptions under wrappers that say nothing themselves. */
final class OwnFailure {

    private static final String REACTOR_WRAPPER = "reactor.core.Exceptions$ReactiveException";

    private OwnFailure() {}

    /** One of our two exceptions, or null. What the application made a cause of an exception of its own is its own. */
    static @Nullable RuntimeException in(@Nullable Throwable failure) {
        Throwable examined = failure;
        // Bounded, as a chain of causes may be circular.
        for (int depth = 0; depth < 16 && examined != null; depth++) {
            if (examined instanceof StepFailedException || examined instanceof DeadlineExceededException) {
                return (RuntimeException) examined;
            }
            examined = isWrapper(examined) ? examined.getCause() : null;
        }
        return null;
    }

    private static boolean isWrapper(Throwable failure) {
        return failure instanceof ServletException
                || failure instanceof CompletionException
                || failure instanceof ExecutionException
                || failure instanceof UndeclaredThrowableException
                || failure.getClass().getName().equals(REACTOR_WRAPPER);
    }
}
