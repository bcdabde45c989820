package dev.deadline.autoconfigure;

import dev.deadline.autoconfigure.DeadlineProperties.Gateway.RateLimit;
import dev.deadline.autoconfigure.DeadlineProperties.Gateway.RateLimit.Ban;
import dev.deadline.autoconfigure.DeadlineProperties.Gateway.RateLimit.Rule;
import dev.deadline.autoconfigure.DeadlineProperties.Gateway.RateLimit.Store;
import dev.deadline.engine.InvalidSetupException;
import dev.deadline.engine.Nanos;
import dev.deadline.gateway.LimitKey;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Finds the rate limits that cannot be meant, before the first request does. */
final class RateLimitPropertiesCheck {

    private static final String PREFIX = "deadline.gateway.rate-limit.";

    private static final long MOST_REQUESTS = 1_000_000_000;

    private static final Duration LONGEST = Duration.ofDays(366);

    private static final int SHORTEST_SECRET = 16;

    // With more of them the estimate says nothing any more.
    private static final int MOST_ADDRESSES = 200;

    private RateLimitPropertiesCheck() {}

    /**
     * @throws InvalidSetupException naming the first wrong key
     */
    static void check(RateLimit limits) {
        for (int i = 0; i < limits.rules().size(); i++) {
            rule(PREFIX + "rules[" + i + "]", limits.rules().get(i));
        }
        inRange("max-keys", limits.maxKeys(), 1, Integer.MAX_VALUE, "how many clients are known");
        inRange("ipv4-prefix", limits.ipv4Prefix(), 1, 32, "a number of bits of an IPv4 address");
        inRange("ipv6-prefix", limits.ipv6Prefix(), 1, 128, "a number of bits of an IPv6 address");
        inRange("shared-token-addresses", limits.sharedTokenAddresses(), 2, MOST_ADDRESSES, "enough to say of a token");
        ban(limits.ban());
        duration(PREFIX + "redis.timeout", limits.redis().timeout());
        boolean hasTokens = limits.rules().stream().anyMatch(rule -> rule.key() == LimitKey.TOKEN);
        if (hasTokens && limits.store() == Store.REDIS) {
            secret(limits.redis().tokenSecret());
        }
    }

    private static void rule(String key, Rule rule) {
        if (rule.paths().isEmpty()) {
            throw new InvalidSetupException(
                    key + ".paths is empty, so that the rule is for nothing.", "Name at least one path pattern.");
        }
        DeadlinePropertiesCheck.patterns(key + ".paths", rule.paths());
        Long limit = rule.limit();
        if (limit == null) {
            throw new InvalidSetupException(
                    key + " has no limit.",
                    "Set " + key + ".limit to how many requests a client may make in a period.");
        }
        requests(key + ".limit", limit);
        requests(key + ".burst", (rule.burst() != null) ? rule.burst() : limit);
        duration(key + ".period", rule.period());
        if (limit > Nanos.of(rule.period())) {
            throw new InvalidSetupException(
                    key + " allows more than one request in each nanosecond.",
                    "Make " + key + ".limit smaller, or " + key + ".period longer.");
        }
    }

    private static void requests(String key, long value) {
        if (value < 1 || value > MOST_REQUESTS) {
            throw new InvalidSetupException(
                    key + " is " + value + ", which is no number of requests that a client could be limited to.",
                    "Set it to between 1 and " + MOST_REQUESTS + ".");
        }
    }

    private static void duration(String key, Duration value) {
        if (value.isZero() || value.isNegative() || value.compareTo(LONGEST) > 0) {
            throw new InvalidSetupException(
                    key + " is " + value + ", which is no time that could be waited for.",
                    "Set it to more than 0 ms and at most " + LONGEST.toDays() + " days.");
        }
    }

    private static void inRange(String name, int value, int least, int most, String meaning) {
        if (value < least || value > most) {
            throw new InvalidSetupException(
                    PREFIX + name + " is " + value + ", which is not " + meaning + ".",
                    (most == Integer.MAX_VALUE)
                            ? "Set it to " + least + " or more."
                            : "Set it to between " + least + " and " + most + ".");
        }
    }

    private static void ban(Ban ban) {
        inRange("ban.after", ban.after(), 1, Integer.MAX_VALUE, "a number of refusals");
        duration(PREFIX + "ban.first", ban.first());
        duration(PREFIX + "ban.max", ban.max());
        if (ban.first().compareTo(ban.max()) > 0) {
            throw new InvalidSetupException(
                    PREFIX + "ban.first is longer than " + PREFIX + "ban.max.",
                    "Make the first ban at most as long as the longest.");
        }
    }

    private static void secret(@Nullable String secret) {
        if (secret == null || secret.length() < SHORTEST_SECRET) {
            throw new InvalidSetupException(
                    "There is a rule for tokens in Redis, and " + PREFIX
                            + "redis.token-secret, with which they are hashed, "
                            + ((secret == null) ? "is not set." : "is too short."),
                    "Set it to the same " + SHORTEST_SECRET + " or more characters in all instances.");
        }
    }

    /**
     * @throws InvalidSetupException naming the artifact without which the limits cannot be kept
     */
    static void checkClassPath(RateLimit limits, @Nullable ClassLoader loader) {
        artifact("io.github.bucket4j.Bucket", "com.bucket4j:bucket4j_jdk17-core", loader);
        artifact("com.github.benmanes.caffeine.cache.Caffeine", "com.github.ben-manes.caffeine:caffeine", loader);
        if (limits.store() == Store.REDIS) {
            artifact(
                    "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory",
                    "org.springframework.boot:spring-boot-starter-data-redis",
                    loader);
            artifact("io.lettuce.core.RedisClient", "io.lettuce:lettuce-core", loader);
            artifact("io.github.bucket4j.redis.lettuce.Bucket4jLettuce", "com.bucket4j:bucket4j_jdk17-lettuce", loader);
        }
    }

    private static void artifact(String type, String artifact, @Nullable ClassLoader loader) {
        if (!ClassUtils.isPresent(type, loader)) {
            throw new InvalidSetupException(
                    "There are " + PREFIX + "rules, and " + artifact
                            + ", with which they are kept, is not on the class path.",
                    "Add the dependency " + artifact + ", or remove the rules.");
        }
    }
}
