package dev.deadline;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The end of the time given to a piece of work, and the means to stop that work when it comes. A deadline is fixed on
 * the monotonic clock when it starts, so a jump of the wall clock does not move it.
 *
 * <p>Deadlines nest: a step inside a request has a deadline of its own that can only be nearer. When a deadline ends,
 * those inside it end with it. Every method may be called from any thread, during and after the work.
 *
 * <p>The bean of this type always speaks for {@link #current()}; a controller method may take the request's own
 * deadline as an argument.
 *
 * @since 0.1
 */
public interface Deadline {

    /**
     * The innermost deadline of the calling thread; {@link #none()} where there is none. Never null.
     */
    static Deadline current() {
        return CurrentDeadline.PROVIDER.current();
    }

    /**
     * A deadline that never ends: nothing is withheld, nothing is cancelled.
     */
    static Deadline none() {
        return NoDeadline.INSTANCE;
    }

    /**
     * When the work began, by the wall clock; for logs only. Null for {@link #none()}.
     */
    @Nullable
    Instant startedAt();

    /**
     * The time left, never negative. The largest {@code long} of nanoseconds when not {@linkplain #isBounded() bounded}.
     */
    Duration remaining();

    /**
     * Whether this deadline has an end at all.
     */
    boolean isBounded();

    /**
     * Whether the time is up, or the work was cancelled earlier for another reason. Always false in observe mode,
     * where nothing is cut.
     */
    boolean isExpired();

    /**
     * Why the work was stopped; null while it goes on and after it ended by itself. Once set it never changes.
     */
    @Nullable
    Reason reason();

    /**
     * The time an ordinary call may take: {@code min(desired, remaining - reserve)} with the request's configured
     * reserve, never negative. {@link Duration#ZERO} means: do not start. In observe mode always {@code desired}.
     *
     * @throws IllegalArgumentException if desired is zero or negative
     */
    Duration allow(Duration desired);

    /**
     * As {@link #allow(Duration)}, withholding the given reserve instead of the configured one.
     *
     * @param reserve zero or more
     * @throws IllegalArgumentException if desired is zero or negative, or reserve is negative
     */
    Duration allow(Duration desired, Duration reserve);

    /**
     * Returns if there is time left and throws otherwise. For loops that compute and never block, which nothing can
     * interrupt from outside.
     *
     * @throws DeadlineExceededException if this deadline {@linkplain #isExpired() is expired}
     */
    void checkpoint();

    /**
     * Registers something to be done, once, when this deadline ends before the work does: close a connection, cancel a
     * statement. Hooks run newest first on a thread of their own and should return quickly; one that hangs delays no
     * other deadline. If this deadline was cancelled already the hook runs at once, on the calling thread; if its
     * work has ended by itself, never.
     *
     * @return the registration, to be closed as soon as there is nothing left to stop
     */
    Registration onCancel(Consumer<? super Reason> hook);

    /**
     * A hook's place in the list of its deadline.
     */
    @FunctionalInterface
    interface Registration extends AutoCloseable {

        /**
         * Removes the hook. Never throws; does not wait for a hook that has begun. Has no effect a second time.
         */
        @Override
        void close();
    }
}
