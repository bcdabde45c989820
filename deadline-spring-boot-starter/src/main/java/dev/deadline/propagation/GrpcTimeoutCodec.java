package dev.deadline.propagation;

import org.jspecify.annotations.Nullable;

/** The timeout of gRPC: up to eight digits and the letter of a unit, as in {@code 250m} for milliseconds. */
public final class GrpcTimeoutCodec implements DeadlineCodec {

    public static final String HEADER = "grpc-timeout";

    private static final int MAX_DIGITS = 8;

    private static final long MAX_NUMBER = 99_999_999;

    // From the finest: nano, micro, milli, second, minute, hour.
    private static final String UNITS = "numSMH";

    private static final long[] UNIT_NANOS = {1, 1_000, 1_000_000, 1_000_000_000, 60_000_000_000L, 3_600_000_000_000L};

    @Override
    public String headerName() {
        return HEADER;
    }

    @Override
    public @Nullable Long decode(String value) {
        int digits = value.length() - 1;
        if (digits < 1 || digits > MAX_DIGITS || value.startsWith("-")) {
            return null;
        }
        int unit = UNITS.indexOf(value.charAt(digits));
        Long number = WholeNumber.parse(value.substring(0, digits));
        return (unit >= 0 && number != null) ? WholeNumber.multiply(number, UNIT_NANOS[unit]) : null;
    }

    @Override
    public String encode(long remainingNanos) {
        int unit = 0;
        while (WholeNumber.unitsBegun(remainingNanos, UNIT_NANOS[unit]) > MAX_NUMBER) {
            unit++;
        }
        return WholeNumber.unitsBegun(remainingNanos, UNIT_NANOS[unit]) + UNITS.substring(unit, unit + 1);
    }
}
