package dev.deadline.resilience4j;

/**
 * Says what a call was waiting for, on this side of its upstream, when its time was up; the cause of the exception that
 * says whose time it was.
 */
final class WaitStoppedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param awaited such as {@code bulkhead 'flags'}
     */
    WaitStoppedException(String awaited) {
        // No stack trace: that of the exception around it is the same.
        super("Stopped while it waited for " + awaited, null, true, false);
    }
}
