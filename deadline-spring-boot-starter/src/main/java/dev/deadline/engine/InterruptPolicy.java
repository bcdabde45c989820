package dev.deadline.engine;

/** Where a thread whose time is up may be interrupted. */
public enum InterruptPolicy {

    /** Inside steps, and in those calls of HTTP clients that an interrupt ends cleanly. */
    STEPS,

    /** Wherever the request's thread is, except where it is shielded. */
    ANYWHERE,

    /** Nowhere. */
    NEVER
}
