package dev.deadline.engine;

import java.time.Duration;

/** Durations as nanoseconds, saturating instead of overflowing. */
public final class Nanos {

    private Nanos() {}

    /** The length in nanoseconds; the largest long if it does not fit. */
    public static long of(Duration duration) {
        try {
            return duration.toNanos();
        } catch (ArithmeticException ex) {
            return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    /**
     * As {@link #of}, for a length that must be more than nothing.
     *
     * @throws IllegalArgumentException naming it, if it is zero or negative
     */
    public static long ofPositive(String name, Duration duration) {
        if (duration.isZero() || duration.isNegative()) {
            throw new IllegalArgumentException(name + " must be positive, but is " + duration);
        }
        return of(duration);
    }
}
