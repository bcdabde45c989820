package dev.deadline.gateway;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/** The token in the header {@code Authorization}. */
final class BearerToken {

    private static final String SCHEME = "Bearer";

    private BearerToken() {}

    /** The token, however its scheme is written and whatever space is around it; null if there is none. */
    static @Nullable String of(HttpServletRequest request) {
        String header = request.getHeader("Authorization");
        if (header == null) {
            return null;
        }
        String value = header.strip();
        boolean isBearer = value.length() > SCHEME.length()
                && value.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                && Character.isWhitespace(value.charAt(SCHEME.length()));
        return isBearer ? value.substring(SCHEME.length()).strip() : null;
    }
}
