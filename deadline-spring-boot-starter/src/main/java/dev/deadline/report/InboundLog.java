package dev.deadline.report;

import dev.deadline.DeadlineListener;
import dev.deadline.engine.MonotonicClock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of callers whose time limit could not be read, once a minute at most, for a caller who gets it wrong does so
 * with every request. Thread-safe.
 */
public final class InboundLog implements DeadlineListener {

    private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final Logger logger = LoggerFactory.getLogger(InboundLog.class);

    private final MonotonicClock clock;

    private final AtomicLong unreported = new AtomicLong();

    // By CAS: of several threads that find the pause over, one warns.
    private final AtomicLong nextNanos;

    public InboundLog(MonotonicClock clock) {
        this.clock = clock;
        this.nextNanos = new AtomicLong(clock.nanoTime());
    }

    @Override
    public void inboundIgnored(String header) {
        this.unreported.incrementAndGet();
        long now = this.clock.nanoTime();
        long next = this.nextNanos.get();
        if (now - next >= 0 && this.nextNanos.compareAndSet(next, now + PAUSE_NANOS)) {
            logger.warn(
                    "{} is not a time that can be read and was ignored, as in {} request(s) since the last such warning",
                    header,
                    this.unreported.getAndSet(0));
        }
    }
}
