package dev.deadline.reactive;

import dev.deadline.Deadline.Registration;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Cuts stages when a scope is cancelled. */
public final class BoundedStage {

    private BoundedStage() {}

    /**
     * Completes as a stage does, until the scope is cancelled: then it fails with a
     * {@link dev.deadline.DeadlineExceededException}, and the stage is cancelled. Cancelling what is returned cancels
     * the stage too.
     */
    public static <T> CompletableFuture<T> cut(CompletionStage<T> stage, Scope scope) {
        CompletableFuture<T> bounded = new CompletableFuture<>();
        boolean isCarried = scope != scope.origin();
        // One that was carried to this thread ends when the thread leaves it, and the stage goes on.
        Scope lasting = isCarried ? DeadlineEngine.carried(scope) : scope;
        Registration registration =
                lasting.onCancel(reason -> lasting.afterwards().execute(() -> {
                    // First, or the stage's own CancellationException would be the answer.
                    bounded.completeExceptionally(lasting.exceeded(null));
                    StandInFuture.cancel(stage);
                }));
        stage.whenComplete((answer, failure) -> {
            if (failure != null) {
                bounded.completeExceptionally(failure);
            } else {
                bounded.complete(answer);
            }
        });
        bounded.whenComplete((answer, failure) -> {
            registration.close();
            if (isCarried) {
                lasting.complete();
            }
            if (bounded.isCancelled()) {
                StandInFuture.cancel(stage);
            }
        });
        return bounded;
    }
}
