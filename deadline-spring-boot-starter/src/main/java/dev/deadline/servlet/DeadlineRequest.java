package dev.deadline.servlet;

import dev.deadline.engine.DeadlineEngine;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.Part;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The request as the application sees it. Once a step has degraded it asks for no "not modified" any more, since by
 * the time such an answer reaches the response the body is gone. What it does asynchronously stays under its deadline.
 */
final class DeadlineRequest extends HttpServletRequestWrapper {

    private final RequestDeadline deadline;

    private final GuardedResponse response;

    // Volatile for who looks from elsewhere whether there is one.
    private volatile @Nullable GuardedAsyncContext async;

    private final boolean last;

    private final RequestBody body;

    private @Nullable ServletInputStream stream;

    private @Nullable BufferedReader reader;

    /**
     * @param last whether this is for the error page, whose answer is never refused
     */
    DeadlineRequest(
            HttpServletRequest request,
            HttpServletResponse response,
            RequestDeadline deadline,
            ResponseMarks marks,
            LastResort lastResort,
            boolean last) {
        super(request);
        this.deadline = deadline;
        this.last = last;
        this.response = new GuardedResponse(response, new ResponseGuard(this, response, deadline, marks, last));
        this.body = new RequestBody(request, deadline, this.response.guard(), lastResort);
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

    /** Whether the request goes on when its thread has left, or may. */
    boolean isAsync() {
        return this.async != null;
    }

    // The error page gets what there is.
    private boolean isBounded() {
        return !this.last && this.body.isExpected();
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        if (!isBounded()) {
            return super.getInputStream();
        }
        ServletInputStream current = this.stream;
        if (current == null) {
            current = new BoundedInputStream(super.getInputStream(), this.body);
            this.stream = current;
        }
        return current;
    }

    @Override
    public BufferedReader getReader() throws IOException {
        if (!isBounded()) {
            return super.getReader();
        }
        BufferedReader current = this.reader;
        if (current == null) {
            current = new BufferedReader(new BoundedReader(super.getReader(), this.body));
            this.reader = current;
        }
        return current;
    }

    @Override
    public @Nullable String getParameter(String name) {
        readParameters();
        return super.getParameter(name);
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        readParameters();
        return super.getParameterValues(name);
    }

    @Override
    public Map<String, String[]> getParameterMap() {
        readParameters();
        return super.getParameterMap();
    }

    @Override
    public Enumeration<String> getParameterNames() {
        readParameters();
        return super.getParameterNames();
    }

    // The first time the container reads the body for them.
    private void readParameters() {
        if (isBounded()) {
            this.body.readParameters();
        }
    }

    @Override
    public Collection<Part> getParts() throws IOException, ServletException {
        return isBounded() ? this.body.read(super::getParts) : super.getParts();
    }

    @Override
    public @Nullable Part getPart(String name) throws IOException, ServletException {
        getParts();
        return super.getPart(name);
    }

    /**
     * Takes a look at the connection while nothing reads the body.
     *
     * @return what the look says; false if it was not taken
     */
    boolean look(BooleanSupplier look) {
        return this.body.look(look);
    }

    /** The request is refused, perhaps before all of its body has come: that is not waited for much longer. */
    void dropBody(DeadlineEngine engine) {
        if (this.body.isExpected()) {
            this.body.drop(engine);
        }
    }

    /** Makes sure that what was started ends in time. To be called when nothing more is being set up. */
    void watchAsync() {
        GuardedAsyncContext current = this.async;
        if (current != null) {
            current.watch();
        }
    }
}
