package dev.deadline.gateway;

/** What became of a request that was let in. */
enum Ending {

    /** It was answered before its time was up, in whatever way. */
    IN_TIME,

    /** Its time was up first. */
    LATE,

    /** Its client has gone. */
    ABORTED,

    /** It was refused further in, before any work, because its client asks for too much. */
    REFUSED
}
