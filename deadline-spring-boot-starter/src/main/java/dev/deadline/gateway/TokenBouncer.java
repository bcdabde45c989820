package dev.deadline.gateway;

import dev.deadline.DeadlineListener;
import dev.deadline.engine.MonotonicClock;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.cors.CorsUtils;

/**
 * Tells which requests are beyond what their token may ask for, once authentication has accepted them. Which token that is,
 * and whether there is one, {@link RequestToken} alone decides. Tokens are kept as hashes only. Preflights are free.
 * Thread-safe.
 */
public final class TokenBouncer {

    private final LimitRules rules;

    private final RequestToken token;

    private final TokenHash hash;

    private final ClientAddresses addresses;

    private final LimitStore store;

    private final SharedTokens shared;

    /**
     * @param rules all of them; those for tokens count
     * @param sharedFrom from how many addresses or networks a token has to come for the listener to be told
     */
    public TokenBouncer(
            List<LimitRule> rules,
            RequestToken token,
            TokenHash hash,
            ClientAddresses addresses,
            LimitStore store,
            int sharedFrom,
            DeadlineListener listener,
            MonotonicClock clock) {
        this.rules = new LimitRules(rules, LimitKey.TOKEN);
        this.token = token;
        this.hash = hash;
        this.addresses = addresses;
        this.store = store;
        this.shared = new SharedTokens(sharedFrom, listener, clock);
    }

    /**
     * Counts a request for its token. To be asked once for each, behind authentication.
     *
     * @return null if it may go on
     */
    public @Nullable LimitExcess check(HttpServletRequest request) {
        if (CorsUtils.isPreFlightRequest(request)) {
            return null;
        }
        String accepted = this.token.of(request);
        if (accepted == null) {
            return null;
        }
        ClientKey client = this.hash.of(accepted);
        this.shared.seen(client, this.addresses.clientOf(request, ClientKey.NO_RULE));
        LimitRule rule = this.rules.of(request);
        if (rule == null) {
            return null;
        }
        long waitNanos = this.store.take(rule, client.forRule(rule.index()));
        return (waitNanos == 0) ? null : LimitExcess.of(rule, waitNanos);
    }
}
