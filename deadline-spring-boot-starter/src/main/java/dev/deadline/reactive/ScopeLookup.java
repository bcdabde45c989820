package dev.deadline.reactive;

import dev.deadline.Deadline;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/** Finds the deadline that work counts under which begins with a subscription. */
public final class ScopeLookup {

    private ScopeLookup() {}

    /**
     * Looks in the Reactor context, where {@link Deadline#none()} means that there is none; then at the subscribing
     * thread; then at what was current when the work was described, unless that has been left: a description kept in a
     * field must not bring back the deadline of a former request.
     *
     * @param assembled the scope that was current when the work was described
     * @return null for none
     */
    public static @Nullable Scope find(ContextView context, @Nullable Scope assembled) {
        Object entry = context.getOrDefault(Scope.KEY, null);
        Scope found = null;
        if (entry instanceof Scope scope) {
            found = scope;
        } else if (entry != Deadline.none()) {
            found = DeadlineEngine.currentScope();
            if (found == null && assembled != null && !assembled.isLeft()) {
                found = assembled;
            }
        }
        return (found != null) ? found.origin() : null;
    }
}
