package dev.deadline.reactive;

import dev.deadline.StepFailedException;
import dev.deadline.engine.Scope;
import dev.deadline.engine.StepExecution;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How the stage of a step is replaced. */
@FunctionalInterface
interface StageFallback {

    /** For stages that are not: never asked. */
    StageFallback NONE = (failure, standIn) -> standIn.completeExceptionally(failure);

    /** Makes the future follow the fallback in place of the stage. */
    void replace(StepFailedException failure, StandInFuture standIn);

    /** The fallback is called elsewhere later; what is bound to the calling thread now is taken along. */
    static StageFallback of(StepExecution execution, @Nullable Function<? super StepFailedException, ?> fallback) {
        if (fallback == null) {
            return NONE;
        }
        ContextSnapshot snapshot = ContextSnapshotFactory.builder().build().captureAll();
        return (failure, standIn) -> {
            FallbackCall call = new FallbackCall(execution, failure, fallback);
            execution.scope().afterwards().execute(snapshot.wrap(() -> follow(call, standIn)));
        };
    }

    private static void follow(FallbackCall call, StandInFuture standIn) {
        Scope scope = call.execution().openFallback();
        CompletionStage<?> stage;
        try {
            stage = (CompletionStage<?>) call.call(scope);
        } catch (RuntimeException ex) {
            standIn.completeExceptionally(ex);
            return;
        }
        standIn.follow(stage, new FallbackRun(call.execution(), call.failure(), scope), NONE);
    }
}
