package dev.deadline.gateway;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.deadline.DeadlineListener;
import dev.deadline.engine.MonotonicClock;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Asks a store that instances share, and lets in what it does not answer for in time. Who has been refused is refused here
 * until the store would let it in again, so that who comes all the time costs no round trips. When it is away nobody
 * asks for a second.
 */
public final class SharedLimitStore implements LimitStore, AutoCloseable {

    private static final Log logger = LogFactory.getLog(SharedLimitStore.class);

    private final RemoteBuckets remote;

    private final long timeoutNanos;

    private final DeadlineListener listener;

    private final MonotonicClock clock;

    private final StorePause pause;

    private final Cache<ClientKey, Long> deniedUntil;

    SharedLimitStore(
            RemoteBuckets remote, long timeoutNanos, int maxKeys, DeadlineListener listener, MonotonicClock clock) {
        this.remote = remote;
        this.timeoutNanos = timeoutNanos;
        this.listener = listener;
        this.clock = clock;
        this.pause = new StorePause(clock);
        this.deniedUntil = Caffeine.newBuilder()
                .maximumSize(maxKeys)
                .executor(Runnable::run)
                .build();
    }

    @Override
    public long take(LimitRule rule, ClientKey client) {
        long denied = denied(client);
        if (denied > 0) {
            return denied;
        }
        if (!this.pause.mayAsk()) {
            return letIn();
        }
        long asked = this.clock.nanoTime();
        try {
            long waitNanos = this.remote.take(rule, client, this.timeoutNanos);
            if (this.pause.answered()) {
                logger.info("The store of rate limits answers again");
            }
            if (waitNanos > 0) {
                this.deniedUntil.put(client, this.clock.nanoTime() + waitNanos);
            }
            return waitNanos;
        } catch (InterruptedException ex) {
            // It is this thread that is to hurry, and nothing is wrong with the store.
            Thread.currentThread().interrupt();
            return letIn();
        } catch (Exception ex) {
            if (this.pause.failed(asked)) {
                logger.warn("The store of rate limits did not answer, so requests are let in until it does: " + ex);
            }
            return letIn();
        }
    }

    private long denied(ClientKey client) {
        Long until = this.deniedUntil.getIfPresent(client);
        return (until != null) ? Math.max(0, until - this.clock.nanoTime()) : 0;
    }

    private long letIn() {
        this.listener.limitStoreFailed();
        return 0;
    }

    @Override
    public void close() {
        this.remote.close();
    }
}
