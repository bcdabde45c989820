package dev.deadline.gateway;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/** Tells which requests are beyond what their client may ask for. Thread-safe. */
@FunctionalInterface
public interface ClientLimit {

    /** There is no limit. */
    ClientLimit NONE = request -> null;

    /**
     * Counts a request for its client. To be asked once for each, and not for those that always get in: exempt ones, and
     * preflights, which browsers send unasked.
     *
     * @return null if it may go on
     */
    @Nullable
    LimitExcess check(HttpServletRequest request);
}
