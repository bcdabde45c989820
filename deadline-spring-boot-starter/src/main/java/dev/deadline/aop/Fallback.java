package dev.deadline.aop;

import dev.deadline.StepFailedException;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** What answers in place of an open step. */
@FunctionalInterface
interface Fallback {

    /**
     * Answers a call.
     *
     * @param invocation the call that the step did not answer
     * @throws Throwable as thrown by the application, not wrapped
     */
    @Nullable
    Object answer(MethodInvocation invocation, StepFailedException failure) throws Throwable;
}
