package dev.deadline.propagation;

import dev.deadline.engine.CarriedTask;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.TaskDecorator;

/**
 * Takes the deadline of the thread that hands a task over along to the one that runs it, and nothing else that is bound
 * to the thread. A task from a thread without a deadline is left as it is. Where something else carries the deadline as
 * well, the task has it all the same, once.
 *
 * <p>Thread-safe.
 */
public final class DeadlineTaskDecorator implements TaskDecorator {

    private final @Nullable TaskDecorator inner;

    private DeadlineTaskDecorator(@Nullable TaskDecorator inner) {
        this.inner = inner;
    }

    /**
     * Carries deadlines around what an executor's own decorator does, which so has the last word: one that detaches all
     * tasks, say, goes on doing so.
     *
     * @param inner null if there is none
     */
    public static DeadlineTaskDecorator around(@Nullable TaskDecorator inner) {
        return (inner instanceof DeadlineTaskDecorator carrying) ? carrying : new DeadlineTaskDecorator(inner);
    }

    @Override
    public Runnable decorate(Runnable task) {
        Runnable decorated = (this.inner != null) ? this.inner.decorate(task) : task;
        Scope scope = DeadlineEngine.currentScope();
        return (scope != null) ? () -> run(decorated, scope) : decorated;
    }

    private static void run(Runnable task, Scope scope) {
        try (CarriedTask carried = CarriedTask.begin(scope)) {
            task.run();
        }
    }
}
