package dev.deadline.engine;

/**
 * Marks the protocol of a container that would close the connection after an answer with a certain status, 503 among
 * them, and does not where it is asked to: the response is given {@link #STAND_IN} and is committed while the container's own
 * request has the attribute {@link #STATUS}, an {@link Integer}, which is what is sent.
 */
public interface LastingConnections {

    /** The name of the attribute. */
    String STATUS = "dev.deadline.status";

    /** A status after which no container closes the connection. */
    int STAND_IN = 429;
}
