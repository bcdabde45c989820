package dev.deadline.gateway;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Writes the CORS headers that the application would have sent, into the refusal of a request that does not get that far:
 * without them a browser shows its page a network error instead of the answer. Declare a bean of this type where the
 * application sets them in a way of its own.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface CorsHeaders {

    /**
     * Adds the headers. Called on the thread of a request that has an {@code Origin}, before its refusal is written; what
     * it throws is logged, and the refusal goes without.
     *
     * @throws Exception if they cannot be found out
     */
    void addTo(HttpServletRequest request, HttpServletResponse response) throws Exception;
}
