package dev.deadline.engine;

import dev.deadline.StepFailedException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The contract for one kind of result that is computed after the method that returned it: how a step goes on when its
 * work returns one. Implementations are stateless.
 */
public interface Deferred {

    /** Whether results of a class, declared or actual, are of this kind. */
    boolean handles(Class<?> type);

    /**
     * Bounds a result.
     *
     * @param result of this kind
     * @param begun the run of the step that returned it; for kinds that start at subscription it is of no use
     * @param begin begins a run of the step under the deadline given to it; null for none
     * @param fallback answers in its place with a result of the same kind; null if the step is closed
     * @return a result of the same kind, never the one given in enforce mode
     */
    Object bound(
            Object result,
            StepExecution begun,
            Function<? super @Nullable Scope, StepExecution> begin,
            @Nullable Function<? super StepFailedException, ?> fallback);

    /**
     * Bounds the result of a fallback, by the scope opened for it, and reports for the run of the step what came of it.
     */
    Object boundFallback(Object result, StepExecution execution, StepFailedException failure, Scope scope);

    /** A result of this kind that fails, for a declared class. */
    Object failed(Class<?> type, RuntimeException failure);
}
