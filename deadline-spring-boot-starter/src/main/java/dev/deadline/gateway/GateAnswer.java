package dev.deadline.gateway;

import dev.deadline.DeadlineListener;
import dev.deadline.DeadlineListener.GateEvent;
import dev.deadline.GateCause;
import dev.deadline.Priority;
import dev.deadline.engine.Mode;
import dev.deadline.engine.RequestAnswer;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.http.HttpHeaders;

/** Refuses requests at the gate, and reports it. Thread-safe. */
public final class GateAnswer {

    private static final Log logger = LogFactory.getLog(GateAnswer.class);

    private static final int SERVICE_UNAVAILABLE = 503;

    private static final int TOO_MANY_REQUESTS = 429;

    // Clients that were shed together must not come back together.
    private static final int SHED_SPREAD_SECONDS = 3;

    private final DeadlineListener listener;

    private final CorsHeaders cors;

    /**
     * @param listener hears of every refusal, also of those that only would have been
     */
    public GateAnswer(DeadlineListener listener, CorsHeaders cors) {
        this.listener = listener;
        this.cors = cors;
    }

    /**
     * Refuses a request that there is no room for, or only reports it.
     *
     * @param mode whether such requests are refused
     * @return whether it was refused; then the caller must not call the rest of the chain
     */
    boolean shed(
            Mode mode,
            RequestAnswer answer,
            HttpServletRequest request,
            HttpServletResponse response,
            GateCause cause,
            Priority priority) {
        boolean enforced = report(mode, answer, cause, priority);
        if (enforced) {
            addCors(request, response);
            long seconds = 1 + ThreadLocalRandom.current().nextInt(SHED_SPREAD_SECONDS);
            answer.refuse(cause.reason(), SERVICE_UNAVAILABLE, seconds);
        }
        return enforced;
    }

    /**
     * Refuses a request of a client that asks for too much, or only reports it.
     *
     * @param mode whether such requests are refused
     * @return whether it was refused; then the caller must not call the rest of the chain
     */
    boolean limit(
            Mode mode,
            RequestAnswer answer,
            HttpServletRequest request,
            HttpServletResponse response,
            LimitExcess excess) {
        boolean enforced = report(mode, answer, excess.cause(), Priority.DEFAULT);
        if (enforced) {
            addCors(request, response);
            if (excess.policyField() != null && excess.limitField() != null) {
                response.setHeader("RateLimit-Policy", excess.policyField());
                response.setHeader("RateLimit", excess.limitField());
            }
            long seconds = excess.waitSeconds();
            long spread = 1 + seconds / 4;
            answer.refuse(
                    excess.cause().reason(),
                    TOO_MANY_REQUESTS,
                    seconds + ThreadLocalRandom.current().nextLong(spread + 1));
        }
        return enforced;
    }

    private boolean report(Mode mode, RequestAnswer answer, GateCause cause, Priority priority) {
        boolean enforced = mode == Mode.ENFORCE && answer.isEnforced();
        long queuedNanos = Math.max(0, answer.queuedNanos());
        this.listener.gateRefused(new GateEvent(cause.reason(), cause, priority, queuedNanos, enforced));
        return enforced;
    }

    private void addCors(HttpServletRequest request, HttpServletResponse response) {
        if (request.getHeader(HttpHeaders.ORIGIN) != null) {
            try {
                this.cors.addTo(request, response);
            } catch (Exception ex) {
                logger.debug("A refusal goes out without CORS headers, as they could not be found out", ex);
            }
        }
    }
}
