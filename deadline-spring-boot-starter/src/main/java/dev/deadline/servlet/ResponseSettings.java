package dev.deadline.servlet;

/**
 * What degraded and refused responses look like.
 *
 * @param header the name of the header that names degraded steps
 * @param status of a request that was refused for lack of time
 * @param retryAfterSeconds what a refused client is told to wait; at least 1
 * @param serverTiming whether to send the duration of each step
 * @param problemDetails whether a refused client gets problem details rather than the application's error page
 */
public record ResponseSettings(
        String header, int status, long retryAfterSeconds, boolean serverTiming, boolean problemDetails) {}
