package dev.deadline.reactive;

import dev.deadline.DeadlineExceededException;
import dev.deadline.StepFailedException;
import dev.deadline.engine.Causes;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

/** Cuts stages when a scope is cancelled. */
public final class BoundedStage {

    private BoundedStage() {}

    /**
     * Completes as a stage does, until the scope is cancelled: then it fails with a
     * {@link DeadlineExceededException}, and the stage is cancelled. Cancelling what is returned cancels
     * the stage too.
     */
    public static <T> CompletableFuture<T> cut(CompletionStage<T> stage, Scope caller) {
        // That of the caller's thread may end when the caller returns, and would forget the stage then.
        Scope scope = DeadlineEngine.carried(caller);
        CompletableFuture<T> bounded = new CompletableFuture<>();
        scope.onCancel(reason -> scope.afterwards().execute(() -> {
            // First, or the stage's own CancellationException would be the answer.
            bounded.completeExceptionally(scope.exceeded(null));
            cancel(stage);
        }));
        stage.whenComplete((answer, failure) -> {
            if (failure != null) {
                bounded.completeExceptionally(inTime(failure, scope));
            } else {
                bounded.complete(answer);
            }
        });
        bounded.whenComplete((answer, failure) -> {
            scope.complete();
            if (bounded.isCancelled()) {
                cancel(stage);
            }
        });
        return bounded;
    }

    /**
     * Cancels a stage, which may have ended. Reaches the source only if the stage is the source: a dependent stage knows
     * nothing of those before it. One that cannot be cancelled goes on by itself.
     */
    public static void cancel(CompletionStage<?> stage) {
        try {
            Future<?> future = (stage instanceof Future<?> same) ? same : stage.toCompletableFuture();
            future.cancel(true);
        } catch (UnsupportedOperationException ex) {
            // A stage that cannot be cancelled.
        }
    }

    // Whatever a client throws when it is stopped, which may be sooner than the cut: that its time was up is what
    // counts.
    private static Throwable inTime(Throwable failure, Scope scope) {
        return (scope.isExpired() && !tellsOfTime(failure)) ? scope.exceeded(failure) : failure;
    }

    private static boolean tellsOfTime(Throwable failure) {
        return Causes.of(failure).stream()
                .anyMatch(cause -> cause instanceof DeadlineExceededException || cause instanceof StepFailedException);
    }
}
