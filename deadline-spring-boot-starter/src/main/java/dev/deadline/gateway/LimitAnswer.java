package dev.deadline.gateway;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** What becomes of a request that is beyond its limit. */
@FunctionalInterface
interface LimitAnswer {

    /** Reports it, and writes the answer where limits are enforced; whether it did. */
    boolean refuse(HttpServletRequest request, HttpServletResponse response, LimitExcess excess);
}
