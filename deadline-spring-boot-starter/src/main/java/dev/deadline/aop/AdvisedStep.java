package dev.deadline.aop;

import dev.deadline.StepFailedException;
import dev.deadline.Steps.Work;
import dev.deadline.engine.StepPolicy;
import dev.deadline.engine.StepRunner;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** All that is known in advance about calls of one method. */
final class AdvisedStep {

    private final StepRunner runner;

    private final StepPolicy policy;

    private final Class<?> returnType;

    private final @Nullable Fallback fallback;

    AdvisedStep(StepRunner runner, StepPolicy policy, Class<?> returnType, @Nullable Fallback fallback) {
        this.runner = runner;
        this.policy = policy;
        this.returnType = returnType;
        this.fallback = fallback;
    }

    @Nullable
    Object run(MethodInvocation invocation) {
        Call call = new Call(invocation, this.fallback);
        return this.runner.<@Nullable Object, RuntimeException>run(
                this.policy, this.returnType, call, (this.fallback != null) ? call : null);
    }

    // The work and its fallback in one object, as every call of a step makes one. Both throw whatever the application
    // throws, which the method they stand for has declared.
    private static final class Call
            implements Work<@Nullable Object, RuntimeException>, Function<StepFailedException, @Nullable Object> {

        private final MethodInvocation invocation;

        private final @Nullable Fallback fallback;

        Call(MethodInvocation invocation, @Nullable Fallback fallback) {
            this.invocation = invocation;
            this.fallback = fallback;
        }

        // The interface allows null through its type variable, which the checker does not follow.
        @SuppressWarnings("NullAway")
        @Override
        public @Nullable Object run() {
            try {
                return this.invocation.proceed();
            } catch (Throwable ex) {
                throw Call.<RuntimeException>unchanged(ex);
            }
        }

        @Override
        public @Nullable Object apply(StepFailedException failure) {
            if (this.fallback == null) {
                throw failure;
            }
            try {
                return this.fallback.answer(this.invocation, failure);
            } catch (Throwable ex) {
                throw Call.<RuntimeException>unchanged(ex);
            }
        }

        @SuppressWarnings("unchecked")
        private static <X extends Throwable> X unchanged(Throwable ex) throws X {
            throw (X) ex;
        }
    }
}
