package dev.deadline;

import java.util.Locale;

/**
 * How much a request matters when not all can be served.
 *
 * @since 0.1
 */
public enum Priority {

    /** Refused only when it would not be answered in time, or when such requests alone are too many. */
    CRITICAL,

    /** What a request is when nothing is said. */
    DEFAULT,

    /** Refused first. */
    SHEDDABLE;

    private final String code = name().toLowerCase(Locale.ROOT);

    /**
     * The form used on the wire, in logs and in metric tags: the lower-case name, such as {@code sheddable}.
     */
    public String code() {
        return this.code;
    }
}
