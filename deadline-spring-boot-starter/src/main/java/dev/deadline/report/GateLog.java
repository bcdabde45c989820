package dev.deadline.report;

import dev.deadline.DeadlineListener;
import dev.deadline.GateCause;
import dev.deadline.engine.MonotonicClock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Writes one event a second at most to the logger {@value #LOGGER} about what the gate refused, or would have, since the
 * one before, as a server that is overloaded has better things to do than to write a line for each. What was refused is a
 * WARN, what only would have been an INFO. Thread-safe.
 */
public final class GateLog implements DeadlineListener {

    /** The name of the logger. */
    public static final String LOGGER = "deadline.gate";

    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int CAUSES = GateCause.values().length;

    private static final Logger logger = LoggerFactory.getLogger(LOGGER);

    private final MonotonicClock clock;

    // By cause: first those that would have been refused, then those that were.
    private final AtomicLongArray counts = new AtomicLongArray(2 * CAUSES);

    private final AtomicLong failures = new AtomicLong();

    // By CAS: of several threads that find the pause over, one writes.
    private final AtomicLong nextNanos;

    public GateLog(MonotonicClock clock) {
        this.clock = clock;
        this.nextNanos = new AtomicLong(clock.nanoTime());
    }

    @Override
    public void gateRefused(GateEvent event) {
        this.counts.incrementAndGet(
                (event.enforced() ? CAUSES : 0) + event.cause().ordinal());
        writeIfDue();
    }

    @Override
    public void limitStoreFailed() {
        this.failures.incrementAndGet();
        writeIfDue();
    }

    @Override
    public void tokenShared(String token, int addresses) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("event", "deadline.token_shared");
        fields.put("token", token);
        fields.put("addresses", addresses);
        EventLine.log(logger, Level.WARN, fields);
    }

    private void writeIfDue() {
        long now = this.clock.nanoTime();
        long next = this.nextNanos.get();
        if (now - next >= 0 && this.nextNanos.compareAndSet(next, now + PAUSE_NANOS)) {
            write();
        }
    }

    private void write() {
        long observed = 0;
        long refused = 0;
        StringJoiner causes = new StringJoiner(" ");
        for (GateCause cause : GateCause.values()) {
            long wouldBe = this.counts.getAndSet(cause.ordinal(), 0);
            long were = this.counts.getAndSet(CAUSES + cause.ordinal(), 0);
            observed += wouldBe;
            refused += were;
            if (wouldBe + were > 0) {
                causes.add(cause.code() + "=" + (wouldBe + were));
            }
        }
        long failed = this.failures.getAndSet(0);
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("event", "deadline.gate");
        fields.put("refused", refused);
        fields.put("observed", observed);
        fields.put("causes", causes.toString());
        fields.put("storeFailures", failed);
        EventLine.log(logger, (refused + failed > 0) ? Level.WARN : Level.INFO, fields);
    }
}
