package dev.deadline.gateway;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.coyote.ProtocolHandler;
import org.jspecify.annotations.Nullable;

/**
 * The queue of Tomcat's main connector, as long as that uses {@link StampingProtocol} and an executor of Tomcat's own
 * kinds. There is none before the server starts, and none after it has stopped.
 */
public final class TomcatQueue implements ArrivalQueue {

    private static final Log logger = LogFactory.getLog(TomcatQueue.class);

    // Written before the server starts its threads, so that these see it.
    private @Nullable ProtocolHandler protocol;

    /** Watches the queue of a connector. To be called before the connector is started. */
    public void follow(ProtocolHandler connectors) {
        this.protocol = connectors;
        if (!(connectors instanceof StampingProtocol)) {
            logUnknown("a protocol", connectors);
        }
    }

    static void logUnknown(String what, Object own) {
        logger.info(
                "How long requests wait for a thread is not known, and does not count against their budgets, as the "
                        + "application has " + what + " of its own for Tomcat: "
                        + own.getClass().getName());
    }

    @Override
    public int size() {
        ProtocolHandler followed = this.protocol;
        return (followed != null && followed.getExecutor() instanceof ArrivalQueue queue) ? queue.size() : UNKNOWN;
    }
}
