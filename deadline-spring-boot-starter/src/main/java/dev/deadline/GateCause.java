package dev.deadline;

import java.util.Locale;

/**
 * Why the gate refused a request: what is behind {@link Reason#SHED} and {@link Reason#RATE_LIMITED}. A closed list, told
 * in the log event and as a metric tag.
 *
 * @since 0.1
 */
public enum GateCause {

    /** Shed: its time was up before a thread took it out of the queue. */
    EXPIRED(Reason.SHED),

    /** Shed: requests have been waiting for threads for a while, and it waited too long itself. */
    STANDING_QUEUE(Reason.SHED),

    /** Shed: so many requests are under way that it would not be answered in time. */
    IN_FLIGHT(Reason.SHED),

    /** Shed: requests like it usually take longer than the time it had left. */
    NO_TIME_LEFT(Reason.SHED),

    /** Rate limited: the client used up what its rule allows. */
    LIMIT(Reason.RATE_LIMITED),

    /** Rate limited: the client went on after it had been refused many times. */
    BAN(Reason.RATE_LIMITED);

    private final Reason reason;

    private final String code = name().toLowerCase(Locale.ROOT);

    GateCause(Reason reason) {
        this.reason = reason;
    }

    /** What it is behind: {@link Reason#SHED} or {@link Reason#RATE_LIMITED}. */
    public Reason reason() {
        return this.reason;
    }

    /**
     * The form used in logs and in metric tags: the lower-case name, such as {@code standing_queue}.
     */
    public String code() {
        return this.code;
    }
}
