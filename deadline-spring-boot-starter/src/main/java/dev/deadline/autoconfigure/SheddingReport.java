package dev.deadline.autoconfigure;

import dev.deadline.engine.Mode;
import dev.deadline.gateway.ArrivalQueue;
import java.util.Locale;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/** Says once what shedding goes by, as that depends on the container and its threads. */
final class SheddingReport implements ApplicationListener<ApplicationReadyEvent> {

    private static final Log logger = LogFactory.getLog(SheddingReport.class);

    private final ArrivalQueue queue;

    private final Mode mode;

    SheddingReport(ArrivalQueue queue, Mode mode) {
        this.queue = queue;
        this.mode = mode;
    }

    @Override
    public void onApplicationEvent(ApplicationReadyEvent event) {
        if (this.mode != Mode.OFF) {
            String signal = (this.queue.size() == ArrivalQueue.UNKNOWN)
                    ? "how many requests are in flight and how long they take; the container does not tell how long they"
                            + " wait for a thread"
                    : "how long requests wait for a thread, how many are in flight and how long they take";
            logger.info("Shedding (" + this.mode.name().toLowerCase(Locale.ROOT) + ") goes by " + signal + ".");
        }
    }
}
