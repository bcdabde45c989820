package dev.deadline;

import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Steps without annotations. The bean of this type makes immutable, thread-safe steps that are meant to be kept in a
 * field:
 *
 * <pre>{@code
 * this.flags = steps.open("flags").timeout(Duration.ofMillis(250));
 * ...
 * Map<String, Boolean> flags = this.flags.call(() -> client.flags(user), failure -> Map.of());
 * }</pre>
 *
 * <p>The work may return a plain value, which is computed on the calling thread, or a {@code CompletionStage},
 * {@code Mono} or {@code Flux}, with the meaning that {@link Step} gives to them. Settings under
 * {@code deadline.steps.<name>} win over those given here.
 *
 * @since 0.1
 */
public interface Steps {

    /**
     * A step that answers with a fallback.
     *
     * @param name 1 to 64 of {@code A-Z a-z 0-9 . _ -}; a constant, for it becomes a metric tag
     * @throws IllegalArgumentException if the name is illegal
     */
    Open open(String name);

    /**
     * A step without which the request is refused.
     *
     * @param name as for {@link #open(String)}
     * @throws IllegalArgumentException if the name is illegal
     */
    Closed closed(String name);

    /**
     * The settings that both kinds share. Every method returns a new step.
     *
     * @param <S> the kind
     */
    interface Settings<S> {

        /** The longest time the step may take; positive. */
        S timeout(Duration timeout);

        /** What it leaves of the request's time instead of the request's reserve; zero or more. */
        S reserve(Duration reserve);

        /** The least time with which starting makes sense; positive. */
        S minimum(Duration minimum);

        /** The request exists for this step, so that it may spend the reserve. */
        S essential();

        /** The thread may not be interrupted in the body of this step. */
        S uninterruptible();
    }

    /** A step that answers with a fallback. */
    interface Open extends Settings<Open> {

        /**
         * Runs the work inside this step.
         *
         * @param fallback answers in its place; runs in what is left of the request
         * @throws X what the work throws, if it is neither lack of time nor a failure of its upstream
         * @throws StepFailedException if the fallback failed as well
         */
        <T extends @Nullable Object, X extends Exception> T call(
                Work<T, X> work, Function<? super StepFailedException, ? extends T> fallback) throws X;
    }

    /** A step without which the request is refused. */
    interface Closed extends Settings<Closed> {

        /**
         * Runs the work inside this step.
         *
         * @throws X what the work throws, if it is neither lack of time nor a failure of its upstream
         * @throws StepFailedException if it did not answer
         */
        <T extends @Nullable Object, X extends Exception> T call(Work<T, X> work) throws X;
    }

    /**
     * The work of a step.
     *
     * @param <T> what it returns
     * @param <X> what it throws
     */
    @FunctionalInterface
    interface Work<T extends @Nullable Object, X extends Exception> {

        T run() throws X;
    }
}
