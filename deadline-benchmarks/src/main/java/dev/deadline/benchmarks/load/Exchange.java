package dev.deadline.benchmarks.load;

import dev.deadline.benchmarks.load.Traffic.Route;

/** One request and what came of it. */
final class Exchange {

    /** What a client can see. */
    enum Result {

        /** The response was read to its end. */
        ANSWERED,

        /** There was none when the client lost patience. */
        GAVE_UP,

        /** The connection could not be made, or broke. */
        BROKEN
    }

    private final Route route;

    private final long intendedNanos;

    private long sentNanos;

    private long endNanos;

    private Result result;

    private Response response;

    Exchange(Route route, long intendedNanos) {
        this.route = route;
        this.intendedNanos = intendedNanos;
    }

    Route route() {
        return this.route;
    }

    /** When it should have been sent, and from when on its time counts. */
    long intendedNanos() {
        return this.intendedNanos;
    }

    void sent(long nanos) {
        this.sentNanos = nanos;
    }

    void answered(Response response, long nanos) {
        this.response = response;
        end(Result.ANSWERED, nanos);
    }

    void end(Result result, long nanos) {
        this.result = result;
        this.endNanos = nanos;
    }

    boolean isOver() {
        return this.result != null;
    }

    Result result() {
        return this.result;
    }

    /** The response, if it was answered. */
    Response response() {
        return this.response;
    }

    /** How much later than intended it was sent. */
    long lagNanos() {
        return this.sentNanos - this.intendedNanos;
    }

    long latencyNanos() {
        return this.endNanos - this.intendedNanos;
    }
}
