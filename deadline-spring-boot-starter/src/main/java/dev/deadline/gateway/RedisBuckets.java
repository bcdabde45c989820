package dev.deadline.gateway;

import dev.deadline.engine.MonotonicClock;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.distributed.AsyncBucketProxy;
import io.lettuce.core.AbstractRedisClient;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Buckets in Redis. The connection is opened when the first one is asked for, on a thread of its own; Lettuce opens it again
 * when it is lost.
 */
final class RedisBuckets implements RemoteBuckets {

    private static final CompletableFuture<RedisSession> CLOSED =
            CompletableFuture.failedFuture(new IllegalStateException("The application is being closed"));

    private final Supplier<AbstractRedisClient> client;

    private final List<CompletableFuture<BucketConfiguration>> configurations;

    private final List<String> prefixes;

    private final Duration timeout;

    private final MonotonicClock clock;

    // By steps that only one thread can take: of many that find no session one opens it, and what is opened while the
    // application is being closed is closed.
    private final AtomicReference<@Nullable CompletableFuture<RedisSession>> session = new AtomicReference<>();

    /**
     * @param client the client that Spring Data has set up; may fail as long as it has not
     * @param rules all of them, in the order of their indices
     * @param keyPrefix what the keys begin with
     * @param timeout how long a command may take
     */
    RedisBuckets(
            Supplier<AbstractRedisClient> client,
            List<LimitRule> rules,
            String keyPrefix,
            Duration timeout,
            MonotonicClock clock) {
        this.client = client;
        this.configurations = rules.stream()
                .map(rule -> BucketConfiguration.builder()
                        .addLimit(Bandwidths.of(rule))
                        .build())
                .map(CompletableFuture::completedFuture)
                .toList();
        this.prefixes =
                rules.stream().map(rule -> keyPrefix + rule.fingerprint() + ":").toList();
        this.timeout = timeout;
        this.clock = clock;
    }

    @Override
    public long take(LimitRule rule, ClientKey client, long timeoutNanos) throws Exception {
        long start = this.clock.nanoTime();
        RedisSession open = get(session(), timeoutNanos);
        if (!open.isOpen()) {
            forgetIfRestarted(open);
            throw new IllegalStateException("There is no connection to Redis");
        }
        AsyncBucketProxy bucket = open.bucket(client, () -> key(client), () -> this.configurations.get(rule.index()));
        try {
            CompletableFuture<ConsumptionProbe> answer = bucket.tryConsumeAndReturnRemaining(1);
            ConsumptionProbe probe = get(answer, timeoutNanos - (this.clock.nanoTime() - start));
            return probe.isConsumed() ? 0 : Math.max(1, probe.getNanosToWaitForRefill());
        } catch (Exception ex) {
            // One whose time was up before it had asked leaves those that come later waiting for it, for ever.
            open.inUse().asMap().remove(client, bucket);
            throw ex;
        }
    }

    private static <T> T get(CompletableFuture<T> future, long nanos) throws Exception {
        try {
            return future.get(nanos, TimeUnit.NANOSECONDS);
        } catch (ExecutionException ex) {
            throw (ex.getCause() instanceof Exception cause) ? cause : ex;
        } catch (TimeoutException ex) {
            throw new TimeoutException("Redis did not answer in time");
        }
    }

    private String key(ClientKey client) {
        HexFormat hex = HexFormat.of();
        return this.prefixes.get(client.rule()) + hex.toHexDigits(client.high()) + hex.toHexDigits(client.low());
    }

    private CompletableFuture<RedisSession> session() {
        CompletableFuture<RedisSession> known = this.session.get();
        if (known != null && (known == CLOSED || !known.isCompletedExceptionally())) {
            return known;
        }
        CompletableFuture<RedisSession> fresh = new CompletableFuture<>();
        if (!this.session.compareAndSet(known, fresh)) {
            return session();
        }
        Thread thread = new Thread(() -> open(fresh), "deadline-limit-store");
        thread.setDaemon(true);
        thread.start();
        return fresh;
    }

    private void open(CompletableFuture<RedisSession> session) {
        try {
            RedisSession open = RedisSession.open(this.client.get(), this.timeout, this.clock);
            session.complete(open);
        } catch (Throwable ex) {
            session.completeExceptionally(ex);
        }
    }

    // Spring Data has been stopped and started again, as for a checkpoint, and has another client now.
    private void forgetIfRestarted(RedisSession old) {
        CompletableFuture<RedisSession> known = this.session.get();
        // Another thread may have seen it too, and a third have opened a new one since.
        boolean isOld = known != null && known.isDone() && !known.isCompletedExceptionally() && known.join() == old;
        if (isOld && old.client() != this.client.get() && this.session.compareAndSet(known, null)) {
            old.close();
        }
    }

    @Override
    public void close() {
        CompletableFuture<RedisSession> last = this.session.getAndSet(CLOSED);
        if (last != null && last != CLOSED) {
            last.thenAccept(RedisSession::close);
        }
    }
}
