package dev.deadline.engine;

import dev.deadline.CurrentDeadlineProvider;
import dev.deadline.Deadline;

/** Finds the deadline that the engine has bound to the calling thread. */
public final class BoundDeadlineProvider implements CurrentDeadlineProvider {

    @Override
    public Deadline current() {
        Scope scope = ThreadBinding.currentScope();
        return (scope != null) ? scope : Deadline.none();
    }
}
