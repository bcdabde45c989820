package dev.deadline.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The request as the application sees it. Once a step has degraded it asks for no "not modified" any more, since by
 * the time such an answer reaches the response the body is gone. What it does asynchronously stays under its deadline.
 */
final class DeadlineRequest extends HttpServletRequestWrapper {

    private final RequestDeadline deadline;

    private final GuardedResponse response;

    private @Nullable GuardedAsyncContext async;

    /**
     * @param last whether this is for the error page, whose answer is never refused
     */
    DeadlineRequest(
            HttpServletRequest request,
            HttpServletResponse response,
            RequestDeadline deadline,
            ResponseMarks marks,
            boolean last) {
        super(request);
        this.deadline = deadline;
        this.response = new GuardedResponse(response, new ResponseGuard(this, response, deadline, marks, last));
    }

    /** The response that goes with this request. */
    GuardedResponse response() {
        return this.response;
    }

    private boolean hides(String header) {
        return isConditional(header) && this.deadline.ledger().isDegraded();
    }

    private static boolean isConditional(String header) {
        return header.equalsIgnoreCase("If-None-Match") || header.equalsIgnoreCase("If-Modified-Since");
    }

    @Override
    public @Nullable String getHeader(String name) {
        return hides(name) ? null : super.getHeader(name);
    }

    @Override
    public long getDateHeader(String name) {
        return hides(name) ? -1 : super.getDateHeader(name);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        return hides(name) ? Collections.emptyEnumeration() : super.getHeaders(name);
    }

    @Override
    public Enumeration<String> getHeaderNames() {
        if (!this.deadline.ledger().isDegraded()) {
            return super.getHeaderNames();
        }
        List<String> names = Collections.list(super.getHeaderNames());
        names.removeIf(DeadlineRequest::isConditional);
        return Collections.enumeration(names);
    }

    @Override
    public AsyncContext startAsync() {
        return startAsync(this, this.response);
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        AsyncContext started = super.startAsync(request, response);
        GuardedAsyncContext guarded = new GuardedAsyncContext(started, this.deadline, this.response.guard());
        this.async = guarded;
        return guarded;
    }

    @Override
    public AsyncContext getAsyncContext() {
        AsyncContext started = super.getAsyncContext();
        return (this.async != null) ? this.async : started;
    }

    /** Makes sure that what was started ends in time. To be called when nothing more is being set up. */
    void watchAsync() {
        GuardedAsyncContext current = this.async;
        if (current != null) {
            current.watch();
        }
    }
}
