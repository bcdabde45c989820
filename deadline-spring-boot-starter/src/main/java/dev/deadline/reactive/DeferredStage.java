package dev.deadline.reactive;

import dev.deadline.StepFailedException;
import dev.deadline.engine.Deferred;
import dev.deadline.engine.Scope;
import dev.deadline.engine.StepExecution;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Bounds a stage, the time for its creation included. The caller gets a future of his own, which is completed at the
 * end of its time whatever the stage does; the stage is cancelled then, and also when the caller cancels his future.
 */
public final class DeferredStage implements Deferred {

    @Override
    public boolean handles(Class<?> type) {
        return CompletionStage.class.isAssignableFrom(type);
    }

    @Override
    public Object bound(
            Object result,
            StepExecution begun,
            Function<? super @Nullable Scope, StepExecution> begin,
            @Nullable Function<? super StepFailedException, ?> fallback) {
        CompletionStage<?> stage = (CompletionStage<?>) result;
        WorkRun run = new WorkRun(begun, fallback != null);
        if (!begun.isEnforced()) {
            observe(stage, run);
            return result;
        }
        begun.goOnWithoutThread();
        StandInFuture standIn = new StandInFuture();
        StageFallback replacement = StageFallback.of(begun, fallback);
        standIn.follow(stage, run, replacement);
        return standIn;
    }

    private static void observe(CompletionStage<?> stage, WorkRun run) {
        stage.whenComplete((answer, failure) -> {
            Throwable cause = withoutWrapper(failure);
            if (cause instanceof CancellationException) {
                run.abandon();
            } else if (run.conclude()) {
                run.verdict(cause, false);
            }
        });
    }

    @Override
    public Object boundFallback(Object result, StepExecution execution, StepFailedException failure, Scope scope) {
        StandInFuture standIn = new StandInFuture();
        standIn.follow((CompletionStage<?>) result, new FallbackRun(execution, failure, scope), StageFallback.NONE);
        return standIn;
    }

    @Override
    public Object failed(Class<?> type, RuntimeException failure) {
        return CompletableFuture.failedFuture(failure);
    }

    /** What a stage that depends on another one adds to the failure says nothing itself. */
    static @Nullable Throwable withoutWrapper(@Nullable Throwable failure) {
        Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : null;
        return (cause != null) ? cause : failure;
    }
}
