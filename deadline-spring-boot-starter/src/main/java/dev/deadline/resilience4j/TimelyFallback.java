package dev.deadline.resilience4j;

import dev.deadline.Reason;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import dev.deadline.reactive.BoundedStage;
import io.github.resilience4j.spring6.fallback.FallbackMethod;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A fallback method that answers only while there is time to answer in. Past that, or when nobody waits any more, the
 * failure is thrown on: it would turn the end of the request's time into an answer.
 *
 * @param method what the annotation names
 * @param scope the deadline of the call, which may be one that is only observed; null for none
 */
record TimelyFallback(FallbackMethod method, @Nullable Scope scope) {

    @Nullable
    Object answer(Throwable failure) throws Throwable {
        if (isTooLate(failure)) {
            throw failure;
        }
        return this.method.fallback(failure);
    }

    private boolean isTooLate(Throwable failure) {
        if (this.scope != null && this.scope.isEnforced() && this.scope.origin().isExpired()) {
            return true;
        }
        Stops stop = Stops.of(failure);
        return stop != null && stop.reason() == Reason.CLIENT_ABORT;
    }

    // On whatever thread brought the failure, which may have another deadline.
    private @Nullable Object answerAnywhere(Throwable failure) throws Throwable {
        try (Section section = DeadlineEngine.carry(this.scope)) {
            return answer(failure);
        }
    }

    /**
     * The stage, or in place of its failure what the method answers. Who cancels it cancels what it stands for at that
     * moment: the stage, or that of the method.
     */
    CompletionStage<Object> recover(CompletionStage<Object> stage) {
        CompletableFuture<Object> recovered = new CompletableFuture<>();
        stage.whenComplete((answer, failure) -> {
            if (failure == null) {
                recovered.complete(answer);
            } else if (!recovered.isDone()) {
                // Else the stage has failed because it was cancelled, and nobody waits for another answer.
                replace(recovered, failure);
            }
        });
        cancelWith(recovered, stage);
        return recovered;
    }

    private void replace(CompletableFuture<Object> recovered, Throwable failure) {
        try {
            CompletionStage<Object> stage = stageOf(answerAnywhere(withoutWrapper(failure)));
            stage.whenComplete((answer, secondFailure) -> {
                if (secondFailure == null) {
                    recovered.complete(answer);
                } else {
                    recovered.completeExceptionally(secondFailure);
                }
            });
            cancelWith(recovered, stage);
        } catch (Throwable ex) {
            recovered.completeExceptionally(ex);
        }
    }

    // At once if it has been cancelled already, as may happen while the method is called.
    private static void cancelWith(CompletableFuture<Object> recovered, CompletionStage<Object> stage) {
        recovered.whenComplete((answer, failure) -> {
            if (recovered.isCancelled()) {
                BoundedStage.cancel(stage);
            }
        });
    }

    @SuppressWarnings("unchecked")
    private static CompletionStage<Object> stageOf(@Nullable Object answer) {
        if (answer == null) {
            throw new IllegalStateException("The fallback method returned null in place of a CompletionStage");
        }
        return (CompletionStage<Object>) answer;
    }

    private static Throwable withoutWrapper(Throwable failure) {
        Throwable cause = failure.getCause();
        boolean wrapper = failure instanceof CompletionException || failure instanceof ExecutionException;
        return (wrapper && cause != null) ? cause : failure;
    }
}
