package dev.deadline.reactive;

import dev.deadline.StepFailedException;
import dev.deadline.engine.Scope;
import dev.deadline.engine.StepExecution;

/** The fallback of a step. There is nothing to replace it. */
final class FallbackRun extends Run {

    private final StepExecution execution;

    private final StepFailedException failure;

    private final Scope scope;

    FallbackRun(StepExecution execution, StepFailedException failure, Scope scope) {
        this.execution = execution;
        this.failure = failure;
        this.scope = scope;
        execution.goOnWithoutThread(scope);
    }

    @Override
    Scope scope() {
        return this.scope;
    }

    @Override
    boolean isCut() {
        return true;
    }

    @Override
    Verdict judgeAnswer(boolean replaceable) {
        if (this.scope.complete()) {
            this.execution.degraded(this.failure);
            return Verdict.STANDS;
        }
        return judgeFailure(this.scope.exceeded(null), replaceable);
    }

    @Override
    Verdict judgeFailure(Throwable cause, boolean replaceable) {
        return Verdict.fails(this.execution.fallbackFailed(this.failure, this.scope, cause));
    }

    @Override
    void giveUp() {
        this.scope.complete();
        this.execution.refused(this.failure);
    }
}
