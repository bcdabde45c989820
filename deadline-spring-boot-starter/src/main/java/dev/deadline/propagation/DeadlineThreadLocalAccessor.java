package dev.deadline.propagation;

import dev.deadline.Deadline;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import io.micrometer.context.ThreadLocalAccessor;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Takes the deadline of a thread along to others. What runs there is bounded by the same end, also when the request
 * itself has been answered, for the deadline is a value that outlives it.
 *
 * <p>A thread without a deadline yields {@link Deadline#none()} and not null, so that every snapshot has an entry and a
 * snapshot from such a thread hides the deadline of the thread where it is opened.
 */
public final class DeadlineThreadLocalAccessor implements ThreadLocalAccessor<Deadline> {

    // What the snapshots that are open on this thread have entered, innermost first. Removed when empty, so that a
    // pooled thread keeps nothing.
    private static final ThreadLocal<@Nullable Deque<Section>> ENTERED = new ThreadLocal<>();

    @Override
    public Object key() {
        return Scope.KEY;
    }

    @Override
    public Deadline getValue() {
        return Deadline.current();
    }

    @Override
    public void setValue(Deadline value) {
        enter((value instanceof Scope scope) ? scope : null);
    }

    @Override
    public void setValue() {
        enter(null);
    }

    @Override
    public void restore(Deadline previousValue) {
        leave();
    }

    @Override
    public void restore() {
        leave();
    }

    private static void enter(@Nullable Scope scope) {
        Deque<Section> entered = ENTERED.get();
        if (entered == null) {
            entered = new ArrayDeque<>(2);
            ENTERED.set(entered);
        }
        entered.push(DeadlineEngine.carry(scope));
    }

    private static void leave() {
        Deque<Section> entered = ENTERED.get();
        if (entered == null) {
            return;
        }
        entered.pop().close();
        if (entered.isEmpty()) {
            ENTERED.remove();
        }
    }
}
