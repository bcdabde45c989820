package dev.deadline.engine;

/** How much of its promise the library keeps. */
public enum Mode {

    /** Stop work, serve fallbacks, refuse requests, mark responses. */
    ENFORCE,

    /** Measure and report what would have happened, and change nothing. */
    OBSERVE,

    /** Do nothing. */
    OFF
}
