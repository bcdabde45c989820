package dev.deadline.servlet;

import jakarta.servlet.ServletRequest;
import org.jspecify.annotations.Nullable;

/** Finds the address at the other end of the connection. Declare a bean of this type to find it otherwise. */
@FunctionalInterface
public interface PeerAddress {

    /**
     * The address of the socket's peer, not one that a forwarding header names; null if it is not known.
     */
    @Nullable
    String of(ServletRequest request);

    /**
     * Looks under whatever wrappers the request has, and on Tomcat also under what its valve for forwarding headers
     * has made of the address. Another container that rewrites the address by itself is believed.
     */
    static PeerAddress ofConnection() {
        return new ConnectionPeerAddress();
    }
}
