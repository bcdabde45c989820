package dev.deadline.propagation;

import org.jspecify.annotations.Nullable;

/**
 * The time left as a whole number of milliseconds. Going out it is rounded up, so that time which is left never looks
 * like none. Coming in it is a sign and digits and nothing else; a number too large to hold is taken as the largest
 * one, for it can only shorten a budget anyway.
 */
public final class RemainingMillisCodec implements DeadlineCodec {

    /** This library's own header, which is also what it sends. */
    public static final String HEADER = "X-Deadline-Remaining-Ms";

    /** What Envoy tells an upstream to expect. */
    public static final String ENVOY_HEADER = "x-envoy-expected-rq-timeout-ms";

    private static final long MILLISECOND = 1_000_000;

    private final String headerName;

    public RemainingMillisCodec(String headerName) {
        this.headerName = headerName;
    }

    @Override
    public String headerName() {
        return this.headerName;
    }

    @Override
    public @Nullable Long decode(String value) {
        Long millis = WholeNumber.parse(value);
        return (millis != null) ? WholeNumber.multiply(millis, MILLISECOND) : null;
    }

    @Override
    public String encode(long remainingNanos) {
        return Long.toString(WholeNumber.unitsBegun(remainingNanos, MILLISECOND));
    }
}
