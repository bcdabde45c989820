package dev.deadline.gateway;

/** What became of a request that was let in, whenever that was. */
enum Ending {

    /** It was answered, in whatever way. */
    ANSWERED,

    /** Its time was up first. */
    CUT,

    /** Its client has gone. */
    ABORTED,

    /** It was refused further in, before any work, because its client asks for too much. */
    REFUSED
}
