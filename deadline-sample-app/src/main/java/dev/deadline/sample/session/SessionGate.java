package dev.deadline.sample.session;

import dev.deadline.sample.upstream.Behaviour;
import org.springframework.stereotype.Service;

/**
 * Lets visitors in. The signature of their token is checked here and now; only what nobody can know without asking,
 * whether the session was revoked, is asked.
 */
@Service
public class SessionGate {

    private static final String SCHEME = "Bearer ";

    private final SessionTokens tokens;

    private final RevocationService revocations;

    SessionGate(SessionTokens tokens, RevocationService revocations) {
        this.tokens = tokens;
        this.revocations = revocations;
    }

    /**
     * The user of the session.
     *
     * @param authorization null for a visitor of the demonstration, who gets a token of ours
     * @throws UnauthorizedException if the token is not one of ours, or was revoked
     */
    public String enter(String authorization, Behaviour revocation) {
        String user = this.tokens.userOf(tokenIn(authorization)).orElseThrow(UnauthorizedException::new);
        if (this.revocations.isRevoked(user, revocation)) {
            throw new UnauthorizedException();
        }
        return user;
    }

    private String tokenIn(String authorization) {
        if (authorization == null) {
            return this.tokens.issue("ada");
        }
        return authorization.startsWith(SCHEME) ? authorization.substring(SCHEME.length()) : "";
    }
}
