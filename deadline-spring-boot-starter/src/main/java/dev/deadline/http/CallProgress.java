package dev.deadline.http;

/** How far an HTTP call has come: what it was waiting for when its time was up. */
enum CallProgress {

    /** Nothing is known but that the request has not been sent. */
    UNCONNECTED("waiting for a connection: pool wait, name resolution, connect or TLS handshake"),

    /** Nothing is known but that there is no response. */
    UNANSWERED("waiting for a connection or for the response"),

    POOL_WAIT("pool wait: every connection of the pool was in use"),

    NAME_RESOLUTION("name resolution"),

    CONNECT("connect"),

    TLS_HANDSHAKE("TLS handshake"),

    RESPONSE("waiting for the response"),

    BODY("reading the body of the response"),

    /** It did not have to be stopped. */
    UPSTREAM_EXPIRED("the upstream, which answered that its own time was up");

    private final String description;

    CallProgress(String description) {
        this.description = description;
    }

    /** For messages. */
    String description() {
        return this.description;
    }
}
