package dev.deadline.gateway;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Finds out by which token a request is to be limited. A bean of this type replaces the library's own, which takes the
 * bearer token if it is what authentication accepted, else the name of the principal, and none without a principal.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface RequestToken {

    /**
     * The token of a request that authentication has accepted. It must be something that the client cannot make up: each
     * token may ask for as much as its rule says. Asked whether the request has a principal or not. The token is only kept
     * as a hash with a secret key.
     *
     * @return null if none was accepted, so that the request is not limited by token
     */
    @Nullable
    String of(HttpServletRequest request);
}
