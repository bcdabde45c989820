package dev.deadline.reactive;

import dev.deadline.Deadline.Registration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What the caller of a step holds in place of the stage that the step returned. */
final class StandInFuture extends CompletableFuture<Object> {

    /**
     * Completes as the stage does, or by what becomes of it when its time is up, whichever comes first. If somebody
     * else completes or cancels this future before, the stage is cancelled.
     */
    void follow(CompletionStage<?> stage, Run run, StageFallback fallback) {
        Registration registration =
                run.scope().onCancel(reason -> run.scope().afterwards().execute(() -> cut(stage, run, fallback)));
        stage.whenComplete((answer, failure) -> {
            if (run.conclude()) {
                registration.close();
                settle(run, answer, failure, fallback);
            }
        });
        whenComplete((answer, failure) -> {
            run.abandon();
            registration.close();
            BoundedStage.cancel(stage);
        });
    }

    private void cut(CompletionStage<?> stage, Run run, StageFallback fallback) {
        if (run.conclude()) {
            BoundedStage.cancel(stage);
            settle(run, null, null, fallback);
        }
    }

    private void settle(Run run, @Nullable Object answer, @Nullable Throwable failure, StageFallback fallback) {
        try {
            Throwable cause = DeferredStage.withoutWrapper(failure);
            Verdict verdict = run.verdict(cause, true);
            if (verdict.replaced() != null) {
                fallback.replace(verdict.replaced(), this);
            } else if (verdict.error() != null) {
                completeExceptionally(verdict.error());
            } else {
                complete(answer);
            }
        } catch (Throwable ex) {
            // Whatever broke, as a classifier of the application may: nobody else would complete this.
            completeExceptionally(ex);
        }
    }
}
