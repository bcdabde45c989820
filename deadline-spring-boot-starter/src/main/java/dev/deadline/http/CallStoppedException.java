package dev.deadline.http;

/**
 * Says what an HTTP call was waiting for when its time was up; the cause of the exception that says whose time it was.
 * Names the host and nothing else of the address, which may hold secrets.
 */
final class CallStoppedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CallStoppedException(String method, String host, CallProgress progress) {
        // No stack trace: it would be that of a thread of this library.
        super(method + " to " + host + " was stopped in: " + progress.description(), null, false, false);
    }
}
