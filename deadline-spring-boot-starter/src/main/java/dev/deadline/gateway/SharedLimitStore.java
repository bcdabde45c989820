package dev.deadline.gateway;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.deadline.DeadlineListener;
import dev.deadline.engine.MonotonicClock;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Asks a store that instances share, and lets in what it does not answer for in time. Who has been refused is refused here
 * until the store would let it in again, so that who comes all the time costs no round trips. After a failure nobody
 * asks for a second.
 */
public final class SharedLimitStore implements LimitStore, AutoCloseable {

    private static final Log logger = LogFactory.getLog(SharedLimitStore.class);

    private static final int TURNS = 1024;

    private final RemoteBuckets remote;

    private final long timeoutNanos;

    private final DeadlineListener listener;

    private final MonotonicClock clock;

    private final StorePause pause;

    private final Cache<ClientKey, Long> deniedUntil;

    // One request of a client at a time asks the store: many at once would undo each other's steps there until their
    // time is up, and be let in for it. When one of them is refused the others, who wait for their turn, are too.
    private final ReentrantLock[] turns = new ReentrantLock[TURNS];

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
        Arrays.setAll(this.turns, i -> new ReentrantLock());
    }

    @Override
    public long take(LimitRule rule, ClientKey client) {
        long start = this.clock.nanoTime();
        long denied = denied(client, start);
        if (denied > 0) {
            return denied;
        }
        boolean isFirstAfterPause = this.pause.isOn();
        if (!this.pause.mayAsk()) {
            return letIn();
        }
        ReentrantLock turn = this.turns[client.hashCode() & (TURNS - 1)];
        try {
            if (!turn.tryLock() && !turn.tryLock(this.timeoutNanos, TimeUnit.NANOSECONDS)) {
                return letIn();
            }
            try {
                return takeInTurn(rule, client, start, isFirstAfterPause);
            } finally {
                turn.unlock();
            }
        } catch (InterruptedException ex) {
            // It is this thread that is to hurry, and nothing is wrong with the store.
            Thread.currentThread().interrupt();
            return letIn();
        }
    }

    private long takeInTurn(LimitRule rule, ClientKey client, long start, boolean isFirstAfterPause)
            throws InterruptedException {
        long now = this.clock.nanoTime();
        long denied = denied(client, now);
        if (denied > 0) {
            return denied;
        }
        long left = this.timeoutNanos - (now - start);
        // While it waited for its turn another request may have found out that the store is away.
        if (left <= 0 || (this.pause.isOn() && !isFirstAfterPause)) {
            return letIn();
        }
        try {
            long waitNanos = this.remote.take(rule, client, left);
            if (this.pause.answered()) {
                logger.info("The store of rate limits answers again");
            }
            if (waitNanos > 0) {
                this.deniedUntil.put(client, this.clock.nanoTime() + waitNanos);
            }
            return waitNanos;
        } catch (InterruptedException ex) {
            throw ex;
        } catch (Exception ex) {
            if (this.pause.failed()) {
                logger.warn("The store of rate limits did not answer, so requests are let in until it does: " + ex);
            }
            return letIn();
        }
    }

    private long denied(ClientKey client, long now) {
        Long until = this.deniedUntil.getIfPresent(client);
        return (until != null) ? Math.max(0, until - now) : 0;
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
