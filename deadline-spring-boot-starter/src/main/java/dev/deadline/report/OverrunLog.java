package dev.deadline.report;

import dev.deadline.DeadlineListener;
import dev.deadline.engine.MonotonicClock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of work that went on after it was told to stop: an INFO when it ended, if that took longer than the grace, and
 * a WARN with the stack of its thread while it goes on for ten times as long, once a minute at most for each step.
 * Thread-safe.
 */
public final class OverrunLog implements DeadlineListener {

    /** The name of the logger. */
    public static final String LOGGER = "deadline.overrun";

    private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final int MAX_STEPS = 1_000;

    private static final Logger logger = LoggerFactory.getLogger(LOGGER);

    private final MonotonicClock clock;

    private final long graceNanos;

    private final Map<String, Long> nextNanos = new ConcurrentHashMap<>();

    /**
     * @param graceNanos overruns up to this are not worth a line
     */
    public OverrunLog(MonotonicClock clock, long graceNanos) {
        this.clock = clock;
        this.graceNanos = graceNanos;
    }

    @Override
    public void overran(String step, long overrunNanos) {
        if (overrunNanos > this.graceNanos) {
            logger.info(
                    "'{}' went on for {} ms after it was told to stop",
                    step,
                    TimeUnit.NANOSECONDS.toMillis(overrunNanos));
        }
    }

    @Override
    public void overrunning(String step, long overrunNanos, StackTraceElement[] stack) {
        if (isDue(step)) {
            logger.warn(
                    "'{}' was told to stop {} ms ago and still goes on: its code neither waits for anything that can be"
                            + " interrupted nor calls Deadline.checkpoint(). What its thread is doing:",
                    step,
                    TimeUnit.NANOSECONDS.toMillis(overrunNanos),
                    new Whereabouts(stack));
        }
    }

    private boolean isDue(String step) {
        long now = this.clock.nanoTime();
        Long next = this.nextNanos.get(step);
        if (next == null) {
            // Names are declared in code, so there are few; should there be more, the rest is not told of.
            return this.nextNanos.size() < MAX_STEPS && this.nextNanos.putIfAbsent(step, now + PAUSE_NANOS) == null;
        }
        // Of several that find the pause over, the one that replaces the entry tells.
        return now - next >= 0 && this.nextNanos.replace(step, next, now + PAUSE_NANOS);
    }

    /** Makes the logger print a stack. */
    private static final class Whereabouts extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Whereabouts(StackTraceElement[] stack) {
            super("not thrown, only the stack of the thread");
            setStackTrace(stack);
        }
    }
}
