package dev.deadline.resilience4j;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import dev.deadline.resilience4j.FittingInterval.TooLongException;
import io.github.resilience4j.retry.Retry;
import org.jspecify.annotations.Nullable;

/**
 * One call that may be retried, on the thread that waits between its attempts. The pause is an interruptible section;
 * nothing is attempted after the end of the time.
 */
final class BoundedRetryContext<T> implements Retry.Context<T> {

    private final Retry.Context<T> own;

    private final Scope scope;

    // No pause fits any more, so the last result stands.
    private boolean settled;

    BoundedRetryContext(Retry.Context<T> own, Scope scope) {
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
    public boolean onResult(@Nullable T result) {
        boolean again;
        try (Section section = DeadlineEngine.interruptible()) {
            again = this.own.onResult(result);
        } catch (TooLongException ex) {
            this.settled = true;
            return false;
        } catch (RuntimeException ex) {
            throw unlessOver(ex);
        }
        if (again && this.scope.isExpired()) {
            throw this.scope.exceeded(null);
        }
        return again;
    }

    @Override
    public void onError(Exception failure) throws Exception {
        try (Section section = DeadlineEngine.interruptible()) {
            this.own.onError(failure);
        } catch (Exception ex) {
            throw unlessOver(ex);
        }
        checkAfter(failure);
    }

    @Override
    public void onRuntimeError(RuntimeException failure) {
        try (Section section = DeadlineEngine.interruptible()) {
            this.own.onRuntimeError(failure);
        } catch (RuntimeException ex) {
            throw unlessOver(ex);
        }
        checkAfter(failure);
    }

    private void checkAfter(Exception failure) {
        if (this.scope.isExpired()) {
            throw this.scope.exceeded(failure);
        }
    }

    // What an interrupted pause throws is the last failure, or anything.
    private <X extends Exception> X unlessOver(X failure) {
        if (this.scope.isExpired() && Stops.of(failure) == null) {
            throw this.scope.exceeded(failure);
        }
        return failure;
    }
}
