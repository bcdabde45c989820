package dev.deadline.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Keeps an application's catch-all exception handlers from turning a refusal into something else: our exceptions, and
 * whatever is thrown after the time of the request is up, are left to the filter. A handler for exactly our type wins,
 * unless the head of the response is out: then nobody can answer any more, and the exception is left to the container,
 * which aborts the response, so that the client can tell that it is not complete.
 */
public final class DeadlineExceptionResolver implements HandlerExceptionResolver, Ordered {

    private final OwnHandlers handlers;

    public DeadlineExceptionResolver(OwnHandlers handlers) {
        this.handlers = handlers;
    }

    /** Before the resolvers that look for exception handlers, after those that only take notes. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE + 1;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception failure) {
        RequestDeadline deadline = RequestDeadline.of(request);
        if (deadline == null || request.getDispatcherType() == DispatcherType.ERROR) {
            return null;
        }
        RuntimeException ownFailure = OwnFailure.in(failure);
        // An answer that was given in the handler's place is complete.
        boolean isCutShort = response.isCommitted() && deadline.refusal() == null && !deadline.isClientGone();
        if (isCutShort && (ownFailure != null || deadline.isPast())) {
            rethrow(failure);
        }
        if (ownFailure == null && !deadline.isOver()) {
            return null;
        }
        Class<?> controller = (handler instanceof HandlerMethod method) ? method.getBeanType() : null;
        if (ownFailure != null && this.handlers.contain(ownFailure, controller)) {
            deadline.handOver(ownFailure);
            return null;
        }
        deadline.refuse(ownFailure);
        return new ModelAndView();
    }

    // What left the handler leaves the servlet as it is.
    @SuppressWarnings("unchecked")
    private static <X extends Throwable> void rethrow(Throwable failure) throws X {
        throw (X) failure;
    }
}
