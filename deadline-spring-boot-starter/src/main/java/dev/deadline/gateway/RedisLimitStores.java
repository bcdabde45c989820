package dev.deadline.gateway;

import dev.deadline.DeadlineListener;
import dev.deadline.engine.MonotonicClock;
import dev.deadline.engine.Nanos;
import io.lettuce.core.AbstractRedisClient;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** Makes the store that is in Redis. */
public final class RedisLimitStores {

    private RedisLimitStores() {}

    /**
     * Opens no connection yet.
     *
     * @param client the client to use; asked for when the first request comes, and again after a failure
     * @param rules all of them, in the order of their indices
     * @param keyPrefix what the keys begin with
     * @param timeout how long a request waits at most
     * @param maxKeys of how many clients it is known here that they have used up what they may ask for
     */
    public static SharedLimitStore of(
            Supplier<AbstractRedisClient> client,
            List<LimitRule> rules,
            String keyPrefix,
            Duration timeout,
            int maxKeys,
            DeadlineListener listener,
            MonotonicClock clock) {
        RedisBuckets buckets = new RedisBuckets(client, rules, keyPrefix, timeout, clock);
        return new SharedLimitStore(buckets, Nanos.of(timeout), maxKeys, listener, clock);
    }
}
