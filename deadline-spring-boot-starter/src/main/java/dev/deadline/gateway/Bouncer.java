package dev.deadline.gateway;

import dev.deadline.engine.MonotonicClock;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells which requests are beyond what their address may ask for, before anything else is known of them. The address is the
 * one that the container reports. Thread-safe.
 */
public final class Bouncer implements ClientLimit {

    private final LimitRules rules;

    private final ClientAddresses addresses;

    private final LimitStore store;

    private final @Nullable Bans bans;

    /**
     * @param rules all of them; those for addresses count
     * @param bans null for none
     * @param maxKeys how many addresses are known at most of those that may have to be banned
     */
    public Bouncer(
            List<LimitRule> rules,
            ClientAddresses addresses,
            LimitStore store,
            @Nullable BanTerms bans,
            int maxKeys,
            MonotonicClock clock) {
        this.rules = new LimitRules(rules, LimitKey.ADDRESS);
        this.addresses = addresses;
        this.store = store;
        this.bans = (bans != null) ? new Bans(bans, maxKeys, clock) : null;
    }

    @Override
    public @Nullable LimitExcess check(HttpServletRequest request) {
        LimitRule rule = this.rules.of(request);
        if (this.bans != null) {
            ClientKey address = this.addresses.clientOf(request, ClientKey.NO_RULE);
            long left = this.bans.left(address);
            if (left > 0) {
                return LimitExcess.ban(left);
            }
            LimitExcess excess = (rule != null) ? take(rule, address.forRule(rule.index())) : null;
            if (excess != null) {
                this.bans.refused(address);
            }
            return excess;
        }
        return (rule != null) ? take(rule, this.addresses.clientOf(request, rule.index())) : null;
    }

    private @Nullable LimitExcess take(LimitRule rule, ClientKey client) {
        long waitNanos = this.store.take(rule, client);
        return (waitNanos == 0) ? null : LimitExcess.of(rule, waitNanos);
    }
}
