package dev.deadline.report;

import dev.deadline.DeadlineListener;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of outbound calls that found no deadline in a thread that belongs to no request: once for each kind of client,
 * as such threads make them again and again and the metric counts them. Says nothing before {@link #begin()}. Thread-safe.
 */
public final class UnboundedCallLog implements DeadlineListener {

    /** The name of the logger. */
    public static final String LOGGER = "deadline.unbounded";

    // The kinds are a closed list; should one come from elsewhere all the same, memory stays bounded.
    private static final int MAX_CLIENTS = 16;

    private static final Logger logger = LoggerFactory.getLogger(LOGGER);

    private final Set<String> told = ConcurrentHashMap.newKeySet();

    // Volatile, to be seen by the threads that make calls.
    private volatile boolean begun;

    /** From now on calls are told of: while an application starts, those it makes have no request to belong to. */
    public void begin() {
        this.begun = true;
    }

    @Override
    public void unboundedCall(String client) {
        if (this.begun && !this.told.contains(client) && this.told.size() < MAX_CLIENTS && this.told.add(client)) {
            logger.warn(
                    "A call ({}) on thread '{}' has no deadline: the thread belongs to no request. If it works for one,"
                            + " its executor does not carry deadlines; if not, start one with Deadlines.start(budget)."
                            + " Not told again for such calls; the metric deadline.unbounded counts them.",
                    client,
                    Thread.currentThread().getName());
        }
    }
}
