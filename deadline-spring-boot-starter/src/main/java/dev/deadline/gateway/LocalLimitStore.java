package dev.deadline.gateway;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.deadline.engine.MonotonicClock;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * A bucket in this process for each client that has asked for something lately. Clients that come often are kept when
 * there are too many; whoever has been away until its bucket would be full again is forgotten.
 */
public final class LocalLimitStore implements LimitStore {

    private final Cache<ClientKey, Bucket> buckets;

    private final List<Bandwidth> bandwidths;

    private final ClockMeter meter;

    private final Function<ClientKey, Bucket> creation = this::full;

    /**
     * @param rules all of them, in the order of their indices
     * @param maxKeys how many clients are known at most
     */
    public LocalLimitStore(List<LimitRule> rules, int maxKeys, MonotonicClock clock) {
        this.bandwidths = rules.stream().map(Bandwidths::of).toList();
        this.meter = new ClockMeter(clock);
        long fillNanos = rules.stream().mapToLong(LimitRule::fillNanos).max().orElse(1);
        // What has to be tidied up is done by the thread that found it, so that no flood of keys outruns it.
        this.buckets = Caffeine.newBuilder()
                .maximumSize(maxKeys)
                .expireAfterAccess(Duration.ofNanos(fillNanos))
                .ticker(clock::nanoTime)
                .executor(Runnable::run)
                .build();
    }

    @Override
    public long take(LimitRule rule, ClientKey client) {
        Bucket bucket = this.buckets.get(client, this.creation);
        ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
        return probe.isConsumed() ? 0 : Math.max(1, probe.getNanosToWaitForRefill());
    }

    private Bucket full(ClientKey client) {
        return Bucket.builder()
                .addLimit(this.bandwidths.get(client.rule()))
                .withCustomTimePrecision(this.meter)
                .build();
    }

    /** How many clients are known. */
    long size() {
        this.buckets.cleanUp();
        return this.buckets.estimatedSize();
    }
}
