package dev.deadline.http;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Says what an HTTP call was waiting for when its time was up; the cause of the exception that says whose time it was.
 * Names the host and nothing else of the address, which may hold secrets.
 */
final class CallStoppedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param failure what the client threw when it was stopped; null if it threw nothing
     */
    CallStoppedException(String method, URI uri, CallProgress progress, @Nullable Throwable failure) {
        // No stack trace: it would be that of a thread of this library.
        super(method + " to " + hostOf(uri) + " was stopped in: " + progress.description(), null, true, false);
        if (failure != null) {
            addSuppressed(failure);
        }
    }

    private static String hostOf(URI uri) {
        String authority = uri.getRawAuthority();
        return (authority != null) ? authority.substring(authority.lastIndexOf('@') + 1) : "an unnamed host";
    }
}
