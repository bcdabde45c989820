package dev.deadline.gateway;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.deadline.engine.MonotonicClock;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.AsyncBucketProxy;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.AsyncProxyManager;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A connection to Redis and the buckets behind it.
 *
 * @param client what opened it
 * @param inUse the buckets that requests ask for at present, or will soon
 */
record RedisSession(
        AbstractRedisClient client,
        StatefulConnection<String, byte[]> connection,
        AsyncProxyManager<String> buckets,
        Cache<ClientKey, AsyncBucketProxy> inUse)
        implements AutoCloseable {

    // Of clients that come rarely no two requests meet, and those that come often are kept.
    private static final int MOST_IN_USE = 1024;

    // Longer than a bucket needs to fill, so that instances whose times differ a little agree that it was full.
    private static final Duration KEPT_WHEN_FULL = Duration.ofSeconds(10);

    private static final RedisCodec<String, byte[]> CODEC = RedisCodec.of(StringCodec.ASCII, ByteArrayCodec.INSTANCE);

    /**
     * Opens a connection, for which it waits as long as Spring Data's settings say.
     *
     * @param timeout how long a command may take
     */
    static RedisSession open(AbstractRedisClient client, Duration timeout, MonotonicClock clock) throws Exception {
        if (client instanceof RedisClusterClient cluster) {
            StatefulRedisClusterConnection<String, byte[]> connection = cluster.connect(CODEC);
            return of(
                    client,
                    connection,
                    connection.async(),
                    Bucket4jLettuce.casBasedBuilder(connection),
                    timeout,
                    clock);
        }
        StatefulRedisConnection<String, byte[]> connection = ((RedisClient) client).connect(CODEC);
        return of(client, connection, connection.async(), Bucket4jLettuce.casBasedBuilder(connection), timeout, clock);
    }

    private static RedisSession of(
            AbstractRedisClient client,
            StatefulConnection<String, byte[]> connection,
            RedisClusterAsyncCommands<String, byte[]> commands,
            Bucket4jLettuce.LettuceBasedProxyManagerBuilder<String> builder,
            Duration timeout,
            MonotonicClock clock)
            throws Exception {
        try {
            long askedAt = clock.nanoTime();
            long first = time(commands)
                    .toCompletableFuture()
                    .get(connection.getTimeout().toNanos(), TimeUnit.NANOSECONDS);
            RedisTime time = new RedisTime(clock, () -> time(commands), first, askedAt);
            ExpirationAfterWriteStrategy expiry =
                    ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(KEPT_WHEN_FULL);
            AsyncProxyManager<String> buckets = builder.clientClock(time)
                    .requestTimeout(timeout)
                    .expirationAfterWrite(expiry)
                    .build()
                    .asAsync();
            Cache<ClientKey, AsyncBucketProxy> inUse = Caffeine.newBuilder()
                    .maximumSize(MOST_IN_USE)
                    .executor(Runnable::run)
                    .build();
            return new RedisSession(client, connection, buckets, inUse);
        } catch (Exception ex) {
            connection.closeAsync();
            throw ex;
        }
    }

    private static CompletionStage<Long> time(RedisClusterAsyncCommands<String, byte[]> commands) {
        return commands.time().thenApply(RedisSession::nanos);
    }

    // Seconds, and microseconds of the next one.
    private static long nanos(List<byte[]> time) {
        return TimeUnit.SECONDS.toNanos(number(time.get(0))) + TimeUnit.MICROSECONDS.toNanos(number(time.get(1)));
    }

    private static long number(byte[] digits) {
        return Long.parseLong(new String(digits, StandardCharsets.US_ASCII));
    }

    /**
     * A bucket that the requests of a client share: those that come while one of them is asking wait for that, and then ask
     * together. Each by itself they would undo each other's steps in Redis, and one at a time they would wait for each other.
     *
     * @param key of the bucket in Redis
     */
    AsyncBucketProxy bucket(
            ClientKey client, Supplier<String> key, Supplier<CompletableFuture<BucketConfiguration>> configuration) {
        return this.inUse.get(
                client,
                unused -> this.buckets
                        .builder()
                        .withOptimization(Optimizations.batching())
                        .build(key.get(), configuration));
    }

    boolean isOpen() {
        return this.connection.isOpen();
    }

    @Override
    public void close() {
        this.connection.close();
    }
}
