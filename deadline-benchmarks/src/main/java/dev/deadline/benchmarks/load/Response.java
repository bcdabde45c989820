package dev.deadline.benchmarks.load;

/**
 * What is looked at in a response.
 *
 * @param status of it
 * @param degraded what the header {@code X-Degraded} says, in lower case; empty without one
 * @param lasts whether the connection can be used again
 */
record Response(int status, String degraded, boolean lasts) {

    boolean isOk() {
        return this.status == 200;
    }

    /** Whether the request was turned away before any work. */
    boolean isRefusal() {
        return (this.status == 503 || this.status == 429) && !isCut();
    }

    /** Whether its budget ended, in the queue or while it was worked on. */
    boolean isCut() {
        return this.degraded.startsWith("request=");
    }
}
