package dev.deadline.autoconfigure;

import dev.deadline.autoconfigure.DeadlineProperties.Gateway.RateLimit;
import dev.deadline.autoconfigure.DeadlineProperties.Gateway.RateLimit.Rule;
import dev.deadline.engine.InvalidSetupException;
import dev.deadline.engine.Nanos;
import dev.deadline.gateway.LimitRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rate limits that are configured, once they have been checked.
 *
 * @param settings what is configured
 * @param rules of it, in the order of their indices
 */
record ConfiguredLimits(RateLimit settings, List<LimitRule> rules) {

    /**
     * @throws InvalidSetupException naming the first wrong key, or the missing artifact
     */
    static ConfiguredLimits of(RateLimit settings, @Nullable ClassLoader loader) {
        RateLimitPropertiesCheck.check(settings);
        RateLimitPropertiesCheck.checkClassPath(settings, loader);
        List<LimitRule> rules = new ArrayList<>();
        for (Rule rule : settings.rules()) {
            long limit = Objects.requireNonNull(rule.limit());
            long burst = (rule.burst() != null) ? rule.burst() : limit;
            rules.add(new LimitRule(rules.size(), rule.key(), rule.paths(), limit, Nanos.of(rule.period()), burst));
        }
        return new ConfiguredLimits(settings, List.copyOf(rules));
    }
}
