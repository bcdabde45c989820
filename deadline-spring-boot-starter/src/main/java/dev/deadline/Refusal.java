package dev.deadline;

import java.util.Locale;

/**
 * Which guard on our side of an upstream refused a call, so that the upstream was not asked, or not again. A closed
 * list, told beside {@link Reason#UPSTREAM_ERROR} in the log event and as a metric tag.
 *
 * @since 0.1
 */
public enum Refusal {

    /** A circuit breaker is open, or half-open with all its trial calls taken. */
    BREAKER_OPEN,

    /** As many calls as a bulkhead admits were under way, and its queue, if it has one, was full. */
    BULKHEAD_FULL,

    /** A rate limiter had no permit within the time that its callers wait for one. */
    RATE_LIMITED;

    private final String code = name().toLowerCase(Locale.ROOT);

    /**
     * The form used in logs and in metric tags: the lower-case name, such as {@code breaker_open}.
     */
    public String code() {
        return this.code;
    }
}
