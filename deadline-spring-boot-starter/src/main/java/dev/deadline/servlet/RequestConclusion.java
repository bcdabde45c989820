package dev.deadline.servlet;

import dev.deadline.Outcome;
import dev.deadline.Reason;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** What becomes of a request when its last dispatch has been handled: answers if need be, and reports. */
final class RequestConclusion {

    private static final Log logger = LogFactory.getLog(RequestConclusion.class);

    // What servers log for a client that went away. Nobody reads it, but it must not look like a success.
    private static final int CLIENT_CLOSED_REQUEST = 499;

    private final Answer answer;

    RequestConclusion(Answer answer) {
        this.answer = answer;
    }

    /** Turns a request away before any work. */
    void refuseAtOnce(RequestDeadline deadline, GuardedResponse response) throws IOException {
        deadline.refuseAtOnce();
        answer(response.guard());
        deadline.finish(Outcome.REFUSED, Reason.BUDGET_EXHAUSTED);
    }

    /**
     * Ends a request.
     *
     * @param failure what left the application; null if nothing did
     * @return what is still to be thrown
     */
    @Nullable
    Throwable conclude(RequestDeadline deadline, GuardedResponse response, @Nullable Throwable failure)
            throws IOException {
        boolean isError = isError(failure);
        RuntimeException ownFailure = OwnFailure.in(failure);
        boolean atGate = deadline.isRefused();
        boolean settled = isError || atGate || (deadline.isHandedOver() && failure == null);
        if (!settled && (ownFailure != null || deadline.isOver())) {
            deadline.refuse(ownFailure);
        }
        Reason refusal = isError ? null : deadline.refusal();
        Outcome outcome = (failure != null) ? Outcome.BUSINESS_ERROR : Outcome.OK;
        boolean dealtWith = false;
        ResponseGuard guard = response.guard();
        if (!isError && deadline.isAborted()) {
            outcome = Outcome.ABORTED;
            refusal = Reason.CLIENT_ABORT;
            dealtWith = true;
            if (!response.isCommitted()) {
                response.setStatus(CLIENT_CLOSED_REQUEST);
            }
        } else if (refusal != null) {
            outcome = atGate ? Outcome.REFUSED : Outcome.FAILED;
            dealtWith = answer(guard) || (failure != null && guard.abort());
        } else {
            guard.commit((failure != null) ? HttpServletResponse.SC_INTERNAL_SERVER_ERROR : response.getStatus());
        }
        guard.close();
        deadline.finish(outcome, refusal);
        if (!dealtWith) {
            return failure;
        }
        if (failure != null && ownFailure == null) {
            logger.debug("Dropped, because the request was refused or nobody waits for it", failure);
        }
        return null;
    }

    private boolean answer(ResponseGuard guard) throws IOException {
        try {
            return guard.answer(this.answer);
        } catch (IOException ex) {
            if (Departure.isSeenIn(ex)) {
                logger.debug("The refusal could not be sent, as the client has gone", ex);
                return true;
            }
            throw ex;
        }
    }

    // What went wrong in the JVM itself is never hidden behind a lack of time.
    private static boolean isError(@Nullable Throwable failure) {
        return failure instanceof Error || (failure instanceof ServletException && failure.getCause() instanceof Error);
    }
}
