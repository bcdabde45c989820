package dev.deadline.report;

import dev.deadline.DeadlineListener;
import dev.deadline.GateCause;
import dev.deadline.engine.MonotonicClock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Writes one event a second at most to the logger {@value #LOGGER} about what the gate refused, or would have, since the
 * one before, as a server that is overloaded has better things to do than to write a line for each; and one about tokens
 * that come from many addresses. What was refused is a WARN, what only would have been an INFO. Closing it writes what is
 * left. Thread-safe.
 */
public final class GateLog implements DeadlineListener, AutoCloseable {

    /** The name of the logger. */
    public static final String LOGGER = "deadline.gate";

    private static final Logger logger = LoggerFactory.getLogger(LOGGER);

    private final Refusals refusals;

    private final Tokens tokens;

    /**
     * @param timer writes what was held back
     */
    public GateLog(MonotonicClock clock, Timer timer) {
        this.refusals = new Refusals(clock, timer);
        this.tokens = new Tokens(clock, timer);
    }

    @Override
    public void gateRefused(GateEvent event) {
        this.refusals.refused(event);
    }

    @Override
    public void limitStoreFailed() {
        this.refusals.storeFailed();
    }

    @Override
    public void tokenShared(String token, int addresses) {
        this.tokens.shared(token, addresses);
    }

    @Override
    public void close() {
        this.refusals.write();
        this.tokens.write();
    }

    /** Runs a task once, on another thread, after a delay in nanoseconds; never, once the application has ended. */
    @FunctionalInterface
    public interface Timer {

        void schedule(long delayNanos, Runnable task);
    }

    /** What was refused, and what was let in because nobody could say whether to refuse it. */
    private static final class Refusals extends EachSecond {

        private static final int CAUSES = GateCause.values().length;

        // By cause: first those that would have been refused, then those that were.
        private final AtomicLongArray counts = new AtomicLongArray(2 * CAUSES);

        private final AtomicLong failures = new AtomicLong();

        Refusals(MonotonicClock clock, Timer timer) {
            super(clock, timer);
        }

        void refused(GateEvent event) {
            this.counts.incrementAndGet(
                    (event.enforced() ? CAUSES : 0) + event.cause().ordinal());
            counted();
        }

        void storeFailed() {
            this.failures.incrementAndGet();
            counted();
        }

        @Override
        boolean isPending() {
            for (int i = 0; i < this.counts.length(); i++) {
                if (this.counts.get(i) > 0) {
                    return true;
                }
            }
            return this.failures.get() > 0;
        }

        @Override
        void write() {
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
            if (observed + refused + failed == 0) {
                return;
            }
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            fields.put("event", "deadline.gate");
            fields.put("refused", refused);
            fields.put("observed", observed);
            fields.put("causes", causes.toString());
            fields.put("storeFailures", failed);
            EventLine.log(logger, (refused + failed > 0) ? Level.WARN : Level.INFO, fields);
        }
    }

    /** Tokens that come from many addresses, with one of them as a sample: behind a network that spreads clients all do. */
    private static final class Tokens extends EachSecond {

        private final AtomicLong count = new AtomicLong();

        // Written before it is counted, so that who finds a number finds a sample.
        private volatile Sample sample = new Sample("", 0);

        Tokens(MonotonicClock clock, Timer timer) {
            super(clock, timer);
        }

        void shared(String token, int addresses) {
            this.sample = new Sample(token, addresses);
            this.count.incrementAndGet();
            counted();
        }

        @Override
        boolean isPending() {
            return this.count.get() > 0;
        }

        @Override
        void write() {
            long tokens = this.count.getAndSet(0);
            if (tokens == 0) {
                return;
            }
            Sample one = this.sample;
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            fields.put("event", "deadline.token_shared");
            fields.put("tokens", tokens);
            fields.put("token", one.token());
            fields.put("addresses", one.addresses());
            EventLine.log(logger, Level.WARN, fields);
        }

        private record Sample(String token, int addresses) {}
    }
}
