package dev.deadline.resilience4j;

import dev.deadline.resilience4j.EntryKind.Existing;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.bulkhead.ThreadPoolBulkhead;
import io.github.resilience4j.bulkhead.ThreadPoolBulkheadConfig;
import io.github.resilience4j.bulkhead.ThreadPoolBulkheadRegistry;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.retry.RetryRegistry;
import io.github.resilience4j.timelimiter.TimeLimiter;
import io.github.resilience4j.timelimiter.TimeLimiterConfig;
import io.github.resilience4j.timelimiter.TimeLimiterRegistry;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Puts the entries of Resilience4j's registries under deadlines: retries, breakers, bulkheads, rate limiters and time
 * limiters, whether they are used through annotations or by hand. What was made past the registries is out of reach.
 *
 * @since 0.1
 */
public final class BoundedRegistries {

    /** The interfaces of registries that can be bounded. */
    public static final List<Class<?>> TYPES = List.of(
            RetryRegistry.class,
            CircuitBreakerRegistry.class,
            BulkheadRegistry.class,
            ThreadPoolBulkheadRegistry.class,
            RateLimiterRegistry.class,
            TimeLimiterRegistry.class);

    private static final EntryKind<RetryRegistry, Retry, RetryConfig> RETRY = new EntryKind<>(
            Retry.class,
            RetryConfig.class,
            RetryRegistry::getAllRetries,
            retry -> new Existing<>(retry.getName(), retry.getRetryConfig(), retry.getTags()),
            RetryRegistry::retry,
            FittingInterval::within,
            BoundedRetry::new);

    private static final EntryKind<BulkheadRegistry, Bulkhead, BulkheadConfig> BULKHEAD = new EntryKind<>(
            Bulkhead.class,
            BulkheadConfig.class,
            BulkheadRegistry::getAllBulkheads,
            bulkhead -> new Existing<>(bulkhead.getName(), bulkhead.getBulkheadConfig(), bulkhead.getTags()),
            BulkheadRegistry::bulkhead,
            UnaryOperator.identity(),
            BoundedBulkhead::new);

    private static final EntryKind<ThreadPoolBulkheadRegistry, ThreadPoolBulkhead, ThreadPoolBulkheadConfig>
            THREAD_POOL_BULKHEAD = new EntryKind<>(
                    ThreadPoolBulkhead.class,
                    ThreadPoolBulkheadConfig.class,
                    ThreadPoolBulkheadRegistry::getAllBulkheads,
                    bulkhead -> new Existing<>(bulkhead.getName(), bulkhead.getBulkheadConfig(), bulkhead.getTags()),
                    ThreadPoolBulkheadRegistry::bulkhead,
                    UnaryOperator.identity(),
                    BoundedThreadPoolBulkhead::new);

    private static final EntryKind<RateLimiterRegistry, RateLimiter, RateLimiterConfig> RATE_LIMITER = new EntryKind<>(
            RateLimiter.class,
            RateLimiterConfig.class,
            RateLimiterRegistry::getAllRateLimiters,
            limiter -> new Existing<>(limiter.getName(), limiter.getRateLimiterConfig(), limiter.getTags()),
            RateLimiterRegistry::rateLimiter,
            UnaryOperator.identity(),
            BoundedRateLimiter::new);

    private static final EntryKind<TimeLimiterRegistry, TimeLimiter, TimeLimiterConfig> TIME_LIMITER = new EntryKind<>(
            TimeLimiter.class,
            TimeLimiterConfig.class,
            TimeLimiterRegistry::getAllTimeLimiters,
            limiter -> new Existing<>(limiter.getName(), limiter.getTimeLimiterConfig(), limiter.getTags()),
            TimeLimiterRegistry::timeLimiter,
            UnaryOperator.identity(),
            BoundedTimeLimiter::new);

    private final EntryKind<CircuitBreakerRegistry, CircuitBreaker, CircuitBreakerConfig> circuitBreaker;

    /**
     * @param countClampedTimeouts whether a breaker counts a timeout of a call that had less than its desired time
     */
    public BoundedRegistries(boolean countClampedTimeouts) {
        this.circuitBreaker = new EntryKind<>(
                CircuitBreaker.class,
                CircuitBreakerConfig.class,
                CircuitBreakerRegistry::getAllCircuitBreakers,
                breaker -> new Existing<>(breaker.getName(), breaker.getCircuitBreakerConfig(), breaker.getTags()),
                CircuitBreakerRegistry::circuitBreaker,
                BoundedCircuitBreaker::counting,
                breaker -> new BoundedCircuitBreaker(breaker, countClampedTimeouts));
    }

    /** Whether it is a registry of Resilience4j's. */
    public static boolean isRegistry(Object bean) {
        return TYPES.stream().anyMatch(type -> type.isInstance(bean));
    }

    /**
     * Makes the entries that a registry hands out from now on bounded. Retries and breakers that it has already are made
     * anew, so it should not have been in use.
     *
     * @return what to use in its place, by the interfaces it has; whatever is no registry comes back as it is
     */
    public Object bounded(Object registry) {
        if (registry instanceof RetryRegistry retries) {
            return BoundedRegistry.of(retries, RETRY);
        }
        if (registry instanceof CircuitBreakerRegistry breakers) {
            return BoundedRegistry.of(breakers, this.circuitBreaker);
        }
        if (registry instanceof BulkheadRegistry bulkheads) {
            return BoundedRegistry.of(bulkheads, BULKHEAD);
        }
        if (registry instanceof ThreadPoolBulkheadRegistry bulkheads) {
            return BoundedRegistry.of(bulkheads, THREAD_POOL_BULKHEAD);
        }
        if (registry instanceof RateLimiterRegistry limiters) {
            return BoundedRegistry.of(limiters, RATE_LIMITER);
        }
        if (registry instanceof TimeLimiterRegistry limiters) {
            return BoundedRegistry.of(limiters, TIME_LIMITER);
        }
        return registry;
    }
}
