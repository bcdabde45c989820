package dev.deadline.gateway;

import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.OAuth2Token;
import org.springframework.util.ClassUtils;

/**
 * The bearer token of a request if it is what Spring Security has accepted, else the name of the principal: a client that
 * is logged in otherwise, and sends one that nobody looks at, is still the same client.
 */
public final class AcceptedToken implements RequestToken {

    private static final ClassLoader LOADER = AcceptedToken.class.getClassLoader();

    private static final boolean HAS_SECURITY =
            ClassUtils.isPresent("org.springframework.security.core.Authentication", LOADER);

    private static final boolean HAS_OAUTH2 =
            ClassUtils.isPresent("org.springframework.security.oauth2.core.OAuth2Token", LOADER);

    @Override
    public @Nullable String of(HttpServletRequest request) {
        Principal principal = request.getUserPrincipal();
        if (principal == null) {
            return null;
        }
        String accepted = HAS_SECURITY ? Credentials.of(principal) : null;
        return (accepted != null && accepted.equals(BearerToken.of(request))) ? accepted : principal.getName();
    }

    // Not loaded where Spring Security is not there.
    private static final class Credentials {

        static @Nullable String of(Principal principal) {
            Object credentials =
                    (principal instanceof Authentication authentication) ? authentication.getCredentials() : null;
            if (credentials instanceof String text) {
                return text;
            }
            return (HAS_OAUTH2 && credentials != null) ? OAuth2.valueOf(credentials) : null;
        }
    }

    private static final class OAuth2 {

        static @Nullable String valueOf(Object credentials) {
            return (credentials instanceof OAuth2Token token) ? token.getTokenValue() : null;
        }
    }
}
