package dev.deadline.engine;

import dev.deadline.StepFailedException;
import dev.deadline.Steps.Work;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs steps: on the calling thread, which never changes, or over to a {@link Deferred} result. Thread-safe. */
public final class StepRunner {

    private final DeadlineEngine engine;

    private final Deferred[] kinds;

    public StepRunner(DeadlineEngine engine, List<? extends Deferred> kinds) {
        this.engine = engine;
        this.kinds = kinds.toArray(Deferred[]::new);
    }

    /**
     * Runs the work inside a step.
     *
     * @param declared the class of result that a method promises; a failure is put into a result of that class if it
     *     can hold one, and thrown otherwise
     * @param fallback null if the step is closed
     * @throws X what the work throws, if the policy does not apply to it
     * @throws StepFailedException if the policy is to refuse, or the fallback failed
     */
    public <T extends @Nullable Object, X extends Exception> T run(
            StepPolicy policy,
            Class<?> declared,
            Work<? extends T, ? extends X> work,
            @Nullable Function<? super StepFailedException, ? extends T> fallback)
            throws X {
        Scope parent = DeadlineEngine.currentScope();
        Mode mode = modeOf(policy, parent);
        if (mode == Mode.OFF) {
            return work.run();
        }
        StepExecution execution = StepExecution.begin(this.engine, policy, mode, parent);
        StepFailedException failure;
        if (!execution.mayStart()) {
            failure = execution.failed(null);
        } else {
            T value;
            Section section = execution.enter();
            try {
                value = work.run();
            } catch (Throwable ex) {
                leave(execution, section, ex);
                failure = execution.failed(ex);
                if (failure == null) {
                    throw ex;
                }
                return answer(execution, declared, failure, fallback);
            }
            Deferred kind = (value != null) ? kindOf(value.getClass()) : null;
            if (kind != null && value != null) {
                section.close();
                return goOn(kind, value, execution, policy, mode, fallback);
            }
            leave(execution, section, null);
            failure = execution.succeeded();
            if (failure == null) {
                return value;
            }
        }
        if (failure == null) {
            throw new IllegalStateException("A step that may not start has not failed");
        }
        return answer(execution, declared, failure, fallback);
    }

    private Mode modeOf(StepPolicy policy, @Nullable Scope parent) {
        if (policy.mode() != null) {
            return policy.mode();
        }
        return (parent != null) ? parent.budget.mode : this.engine.mode();
    }

    // The scope first, so that one decision stands before the interrupt of a late alarm is taken back.
    private void leave(StepExecution execution, Section section, @Nullable Throwable cause) {
        execution.over(cause);
        section.close();
        tellOverrun(execution.scope());
    }

    private void leave(Scope fallback, Section section) {
        fallback.complete();
        section.close();
        tellOverrun(fallback);
    }

    private void tellOverrun(Scope left) {
        Scope.End cancelled = left.cancellation();
        if (cancelled != null) {
            this.engine.listeners().overran(left.name, Math.max(0, left.now() - cancelled.atNanos()));
        }
    }

    private @Nullable Deferred kindOf(Class<?> type) {
        for (Deferred kind : this.kinds) {
            if (kind.handles(type)) {
                return kind;
            }
        }
        return null;
    }

    // A deferred result has the type of the one that it stands for.
    @SuppressWarnings("unchecked")
    private <T extends @Nullable Object> T goOn(
            Deferred kind,
            Object value,
            StepExecution begun,
            StepPolicy policy,
            Mode mode,
            @Nullable Function<? super StepFailedException, ? extends T> fallback) {
        return (T) kind.bound(value, begun, scope -> StepExecution.begin(this.engine, policy, mode, scope), fallback);
    }

    @SuppressWarnings("unchecked")
    private <T extends @Nullable Object> T answer(
            StepExecution execution,
            Class<?> declared,
            StepFailedException failure,
            @Nullable Function<? super StepFailedException, ? extends T> fallback) {
        if (fallback == null || !execution.wantsFallback(failure)) {
            execution.refused(failure);
            return refuse(declared, failure);
        }
        Scope scope = execution.openFallback();
        if (scope.isExpired()) {
            return refuse(declared, execution.fallbackFailed(failure, scope, scope.exceeded(null)));
        }
        T value;
        Section section = execution.enterFallback(scope);
        try {
            value = fallback.apply(failure);
        } catch (Throwable ex) {
            leave(scope, section);
            RuntimeException second = execution.fallbackFailed(failure, scope, ex);
            if (ex instanceof Error error) {
                throw error;
            }
            return refuse(declared, second);
        }
        Deferred kind = (value != null) ? kindOf(value.getClass()) : null;
        if (kind != null && value != null) {
            section.close();
            return (T) kind.boundFallback(value, execution, failure, scope);
        }
        leave(scope, section);
        if (scope.cancellation() != null) {
            return refuse(declared, execution.fallbackFailed(failure, scope, scope.exceeded(null)));
        }
        execution.degraded(failure);
        return value;
    }

    @SuppressWarnings("unchecked")
    private <T extends @Nullable Object> T refuse(Class<?> declared, RuntimeException failure) {
        Deferred kind = kindOf(declared);
        if (kind == null) {
            throw failure;
        }
        return (T) kind.failed(declared, failure);
    }
}
