package dev.deadline.propagation;

import org.jspecify.annotations.Nullable;

/** Reads the numbers in headers, which may be hostile. */
final class WholeNumber {

    private WholeNumber() {}

    /**
     * A number of ASCII digits with at most one minus sign before them, and nothing else.
     *
     * @return the number, saturated where it does not fit; null if it is not one
     */
    static @Nullable Long parse(String text) {
        boolean negative = text.startsWith("-");
        int first = negative ? 1 : 0;
        if (text.length() == first) {
            return null;
        }
        long number = 0;
        for (int i = first; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return null;
            }
            boolean fits = number <= (Long.MAX_VALUE - digit) / 10;
            number = fits ? number * 10 + digit : Long.MAX_VALUE;
        }
        return negative ? -number : number;
    }

    /** The number in units of so many nanoseconds each, saturated. */
    static long multiply(long number, long unitNanos) {
        if (number > Long.MAX_VALUE / unitNanos) {
            return Long.MAX_VALUE;
        }
        return (number < -Long.MAX_VALUE / unitNanos) ? -Long.MAX_VALUE : number * unitNanos;
    }

    /** How many whole units so many nanoseconds, at least 1, begin. */
    static long unitsBegun(long nanos, long unitNanos) {
        return (nanos - 1) / unitNanos + 1;
    }
}
