package dev.deadline.gateway;

/** What tells one client from another. */
public enum LimitKey {

    /** The address of the connection, as the container reports it. */
    ADDRESS,

    /** The token of a request that authentication has accepted. */
    TOKEN
}
