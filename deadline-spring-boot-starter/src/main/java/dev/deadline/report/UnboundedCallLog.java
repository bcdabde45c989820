package dev.deadline.report;

import dev.deadline.DeadlineListener;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of outbound calls that found no deadline in a thread that belongs to no request: once for each kind of client,
 * as such threads make them again and again and the metric counts them. Thread-safe.
 */
public final class UnboundedCallLog implements DeadlineListener {

    /** The name of the logger. */
    public static final String LOGGER = "deadline.unbounded";

    // The kinds are a closed list; should one come from elsewhere all the same, memory stays bounded.
    private static final int MAX_CLIENTS = 16;

    private static final Logger logger = LoggerFactory.getLogger(LOGGER);

    private final Set<String> told = ConcurrentHashMap.newKeySet();

    @Override
    public void unboundedCall(String client) {
        if (!this.told.contains(client) && this.told.size() < MAX_CLIENTS && this.told.add(client)) {
            logger.warn(
                    "A call ({}) on thread '{}' has no deadline: the thread belongs to no request. If it works for one,"
                            + " its executor does not carry deadlines; if not, start one with Deadlines.start(budget)."
                            + " Not told again for such calls; the metric deadline.unbounded counts them.",
                    client,
                    Thread.currentThread().getName());
        }
    }
}
