package dev.deadline.reactive;

import dev.deadline.engine.Scope;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One run of something that ends later: the work of a step, or the fallback in its place. It can end in several ways
 * at once, on several threads; the first end counts and is reported.
 */
abstract class Run {

    // Set by CAS: decides between an answer, a cut and somebody who no longer waits.
    private final AtomicBoolean concluded = new AtomicBoolean();

    /** The deadline it runs under. */
    abstract Scope scope();

    /** Whether it is cut when that ends. */
    abstract boolean isCut();

    abstract Verdict judgeAnswer(boolean replaceable);

    abstract Verdict judgeFailure(Throwable failure, boolean replaceable);

    abstract void giveUp();

    /** Claims the end; false if it has ended otherwise. */
    final boolean conclude() {
        return this.concluded.compareAndSet(false, true);
    }

    /**
     * It answered, or was cut; to be called after {@link #conclude()}.
     *
     * @param replaceable whether a fallback can still take its place
     */
    final Verdict verdict(@Nullable Throwable failure, boolean replaceable) {
        return (failure == null) ? judgeAnswer(replaceable) : judgeFailure(failure, replaceable);
    }

    /** Nobody waits for it any more. */
    final void abandon() {
        if (conclude()) {
            giveUp();
        }
    }
}
