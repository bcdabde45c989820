package dev.deadline.gateway;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Tells kinds of requests apart before anything is known of the handler: by method and path, whatever has a digit in it
 * being taken for an identifier. Only a hash, for clients choose what is in it.
 */
final class RequestKind {

    // Deeper than this the parts of a path hardly choose the handler.
    private static final int MOST_SEGMENTS = 5;

    private RequestKind() {}

    static int of(HttpServletRequest request) {
        return hash(request.getMethod(), request.getRequestURI());
    }

    static int hash(String method, String path) {
        int hash = method.hashCode();
        int segments = 0;
        int segment = 0;
        boolean hasDigit = false;
        for (int i = 0; i < path.length() && segments < MOST_SEGMENTS; i++) {
            char c = path.charAt(i);
            if (c == '/') {
                hash = 31 * hash + (hasDigit ? '#' : segment);
                segment = 0;
                hasDigit = false;
                segments++;
            } else if (c == ';') {
                break;
            } else {
                segment = 31 * segment + c;
                hasDigit |= c >= '0' && c <= '9';
            }
        }
        return 31 * hash + (hasDigit ? '#' : segment);
    }
}
