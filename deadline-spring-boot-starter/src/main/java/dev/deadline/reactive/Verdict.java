package dev.deadline.reactive;

import dev.deadline.StepFailedException;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a deferred result that has ended.
 *
 * @param error to be thrown in its place; null if not
 * @param replaced why a fallback is to answer in its place; null if not
 */
record Verdict(@Nullable Throwable error, @Nullable StepFailedException replaced) {

    /** It counts as it is. */
    static final Verdict STANDS = new Verdict(null, null);

    static Verdict fails(Throwable error) {
        return new Verdict(error, null);
    }

    static Verdict isReplaced(StepFailedException failure) {
        return new Verdict(null, failure);
    }
}
