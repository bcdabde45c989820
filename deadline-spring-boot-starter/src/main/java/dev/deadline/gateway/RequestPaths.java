package dev.deadline.gateway;

import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.UriUtils;

/**
 * The path of a request within the application, read once for all who match patterns against it: as the container
 * understands it, so that nobody gets around a pattern by dots, empty parts or encoded characters.
 */
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
            path = PathContainer.parsePath(asUnderstood(request));
        } catch (IllegalArgumentException ex) {
            path = UNREADABLE;
        }
        request.setAttribute(ATTRIBUTE, path);
        return path;
    }

    private static String asUnderstood(HttpServletRequest request) {
        String path = request.getRequestURI();
        String context = request.getContextPath();
        if (PlainPaths.isPlain(path) && path.startsWith(context)) {
            return path.substring(context.length());
        }
        String decoded = request.getServletPath() + Objects.requireNonNullElse(request.getPathInfo(), "");
        return UriUtils.encodePath(decoded, StandardCharsets.UTF_8);
    }
}
