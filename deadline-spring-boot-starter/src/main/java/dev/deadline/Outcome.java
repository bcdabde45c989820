package dev.deadline;

import java.util.Locale;

/**
 * How a step or a request ended. A closed list, used as a metric tag.
 *
 * @since 0.1
 */
public enum Outcome {

    /** It answered inside its time. */
    OK,

    /** A fallback was served in its place. */
    DEGRADED,

    /** It failed and the request was refused, or the failure of a step nested in it passed through. */
    FAILED,

    /** It was turned away before any work began. */
    REFUSED,

    /** Nobody waited for it any more. */
    ABORTED,

    /** The application's own exception left it, untouched. */
    BUSINESS_ERROR;

    private final String code = name().toLowerCase(Locale.ROOT);

    /**
     * The form used in metric tags: the lower-case name, such as {@code business_error}.
     */
    public String code() {
        return this.code;
    }
}
