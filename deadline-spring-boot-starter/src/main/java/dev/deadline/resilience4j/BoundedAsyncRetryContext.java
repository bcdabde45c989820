package dev.deadline.resilience4j;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import dev.deadline.resilience4j.FittingInterval.TooLongException;
import io.github.resilience4j.retry.Retry;
import org.jspecify.annotations.Nullable;

/** One call that may be retried, whose attempts end on threads that know nothing of its deadline, or of another one. */
final class BoundedAsyncRetryContext<T> implements Retry.AsyncContext<T> {

    private static final long NO_MORE = -1;

    private final Retry.AsyncContext<T> own;

    private final @Nullable Scope scope;

    // No pause fits any more, so the last result stands. Attempts follow one another, and what orders them orders this.
    private boolean settled;

    /**
     * @param scope the deadline of the call; null if it has none, whatever the threads have
     */
    BoundedAsyncRetryContext(Retry.AsyncContext<T> own, @Nullable Scope scope) {
        this.own = own;
        this.scope = scope;
    }

    @Override
    public void onComplete() {
        // Neither a success, as the result was to be retried, nor the last of the attempts.
        if (!this.settled) {
            this.own.onComplete();
        }
    }

    @Override
    public long onError(Throwable failure) {
        try (Section section = DeadlineEngine.carry(this.scope)) {
            return this.own.onError(failure);
        }
    }

    @Override
    public long onResult(@Nullable T result) {
        try (Section section = DeadlineEngine.carry(this.scope)) {
            return this.own.onResult(result);
        } catch (TooLongException ex) {
            this.settled = true;
            return NO_MORE;
        }
    }
}
