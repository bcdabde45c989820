package dev.deadline.gateway;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;

/** The path of a request within the application, read once for all who match patterns against it. */
final class RequestPaths {

    private static final String ATTRIBUTE = RequestPaths.class.getName();

    private static final PathContainer UNREADABLE = PathContainer.parsePath("");

    private RequestPaths() {}

    /** The path; null if it cannot be decoded, so that no pattern can match it. */
    static @Nullable PathContainer of(HttpServletRequest request) {
        Object known = request.getAttribute(ATTRIBUTE);
        PathContainer path = (known instanceof PathContainer read) ? read : read(request);
        return (path != UNREADABLE) ? path : null;
    }

    private static PathContainer read(HttpServletRequest request) {
        PathContainer path;
        try {
            path = RequestPath.parse(request.getRequestURI(), request.getContextPath())
                    .pathWithinApplication();
        } catch (IllegalArgumentException ex) {
            path = UNREADABLE;
        }
        request.setAttribute(ATTRIBUTE, path);
        return path;
    }
}
