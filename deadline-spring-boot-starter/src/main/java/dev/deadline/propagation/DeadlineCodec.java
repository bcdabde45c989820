package dev.deadline.propagation;

import org.jspecify.annotations.Nullable;

/** One way of writing the time left into a header. Stateless. */
public interface DeadlineCodec {

    String headerName();

    /**
     * The time left in nanoseconds, saturating; zero or less means that it has passed. Null if the value is malformed.
     */
    @Nullable
    Long decode(String value);

    /**
     * @param remainingNanos more than zero; rounded up to the unit of the header
     */
    String encode(long remainingNanos);
}
