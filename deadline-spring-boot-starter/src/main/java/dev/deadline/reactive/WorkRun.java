package dev.deadline.reactive;

import dev.deadline.DeadlineExceededException;
import dev.deadline.StepFailedException;
import dev.deadline.engine.Scope;
import dev.deadline.engine.StepExecution;
import org.jspecify.annotations.Nullable;

/** The work of a step. */
final class WorkRun extends Run {

    private final StepExecution execution;

    private final boolean hasFallback;

    WorkRun(StepExecution execution, boolean hasFallback) {
        this.execution = execution;
        this.hasFallback = hasFallback;
    }

    @Override
    Scope scope() {
        return this.execution.scope();
    }

    @Override
    boolean isCut() {
        return this.execution.isEnforced();
    }

    /** There was no time to start it. */
    Verdict judgeNotStarted() {
        try {
            return judge(this.execution.failed(null), null, true);
        } catch (DeadlineExceededException ex) {
            return Verdict.fails(ex);
        }
    }

    @Override
    Verdict judgeAnswer(boolean replaceable) {
        try {
            return judge(this.execution.succeeded(), null, replaceable);
        } catch (DeadlineExceededException ex) {
            return Verdict.fails(ex);
        }
    }

    @Override
    Verdict judgeFailure(Throwable failure, boolean replaceable) {
        try {
            return judge(this.execution.failed(failure), failure, replaceable);
        } catch (DeadlineExceededException ex) {
            return Verdict.fails(ex);
        }
    }

    private Verdict judge(@Nullable StepFailedException failure, @Nullable Throwable own, boolean replaceable) {
        if (failure == null) {
            return (own != null) ? Verdict.fails(own) : Verdict.STANDS;
        }
        if (this.hasFallback && replaceable && this.execution.wantsFallback(failure)) {
            return Verdict.isReplaced(failure);
        }
        this.execution.refused(failure);
        return Verdict.fails(failure);
    }

    @Override
    void giveUp() {
        this.execution.abandoned();
    }
}
