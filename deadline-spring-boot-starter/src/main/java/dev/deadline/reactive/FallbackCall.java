package dev.deadline.reactive;

import dev.deadline.StepFailedException;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import dev.deadline.engine.StepExecution;
import java.util.Objects;
import java.util.function.Function;

/**
 * Asks the fallback of a step for a deferred result, inside what is left of the request.
 *
 * @param fallback may block, so it is never called on a thread of a client or of the engine's hooks
 */
record FallbackCall(
        StepExecution execution, StepFailedException failure, Function<? super StepFailedException, ?> fallback) {

    /**
     * @param scope the fallback's own
     * @throws StepFailedException if the fallback failed, which has been reported
     * @throws dev.deadline.DeadlineExceededException if a step around this one ended it
     */
    Object call(Scope scope) {
        if (scope.isExpired()) {
            throw this.execution.fallbackFailed(this.failure, scope, scope.exceeded(null));
        }
        Section section = this.execution.enterFallback(scope);
        try {
            Object result = this.fallback.apply(this.failure);
            return Objects.requireNonNull(result, "The fallback returned null in place of a deferred result");
        } catch (Throwable ex) {
            scope.complete();
            throw this.execution.fallbackFailed(this.failure, scope, ex);
        } finally {
            section.close();
        }
    }
}
