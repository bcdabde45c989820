package dev.deadline.resilience4j;

import dev.deadline.DeadlineExceededException;
import dev.deadline.engine.Scope;
import dev.deadline.reactive.BoundedStage;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A call that ends later, with a guard around it. Inside the guard it is cut when its time is up, or when its caller
 * cancels what the guard has returned, which Resilience4j tells nobody of: so the guard hears of every end, and a permit
 * comes back.
 */
final class GuardedStage<T> {

    private final Scope scope;

    // Volatile, and each is looked at after the other has been written: a caller that cancels while an attempt begins
    // is noticed by one of the two.
    private volatile boolean abandoned;

    private volatile @Nullable CompletableFuture<T> inside;

    private GuardedStage(Scope scope) {
        this.scope = scope;
    }

    /**
     * Makes the call.
     *
     * @param guard what decorates the work; it may do the work several times
     */
    static <T> CompletionStage<T> call(
            Supplier<CompletionStage<T>> work, UnaryOperator<Supplier<CompletionStage<T>>> guard) {
        Scope scope = TimeLeft.ofCall();
        if (scope == null) {
            return guard.apply(work).get();
        }
        GuardedStage<T> call = new GuardedStage<>(scope);
        try {
            CompletableFuture<T> result =
                    guard.apply(() -> call.begin(work)).get().toCompletableFuture();
            result.whenComplete((answer, failure) -> {
                // When its time is up it is cut for that reason, whoever cancels this one first.
                if (result.isCancelled() && scope.reason() == null) {
                    call.abandon();
                }
            });
            return result;
        } catch (DeadlineExceededException ex) {
            return CompletableFuture.failedFuture(ex);
        }
    }

    private CompletionStage<T> begin(Supplier<CompletionStage<T>> work) {
        if (this.abandoned) {
            return CompletableFuture.failedFuture(new AbandonedException());
        }
        CompletableFuture<T> begun = BoundedStage.cut(work.get(), this.scope);
        this.inside = begun;
        if (this.abandoned) {
            begun.completeExceptionally(new AbandonedException());
        }
        return begun;
    }

    private void abandon() {
        this.abandoned = true;
        CompletableFuture<T> begun = this.inside;
        if (begun != null) {
            begun.completeExceptionally(new AbandonedException());
        }
    }
}
