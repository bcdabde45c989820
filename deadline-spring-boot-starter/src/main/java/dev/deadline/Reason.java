package dev.deadline;

import java.util.Locale;

/**
 * Why work was stopped, refused or degraded. A closed list: header, log event, metric tag and exception of one
 * incident all carry the same constant.
 *
 * @since 0.1
 */
public enum Reason {

    /** The step's own time ended while it waited. */
    UPSTREAM_TIMEOUT,

    /** No time was left to start, or the time of the whole request ended. */
    BUDGET_EXHAUSTED,

    /** Nobody waits for the answer any more. */
    CLIENT_ABORT,

    /** The upstream answered badly: an I/O failure, an error status, an unreadable body, a refusal on our side of it. */
    UPSTREAM_ERROR,

    /** Refused at the gate because the server is overloaded. */
    SHED,

    /** Refused at the gate because the caller exceeded its limit. */
    RATE_LIMITED;

    private final String code = name().toLowerCase(Locale.ROOT);

    /**
     * The form used on the wire, in logs and in metric tags: the lower-case name, such as {@code upstream_timeout}.
     */
    public String code() {
        return this.code;
    }
}
