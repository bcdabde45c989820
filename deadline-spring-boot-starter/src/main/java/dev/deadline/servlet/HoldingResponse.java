package dev.deadline.servlet;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A response that holds some headers back, and reads as if it did not. */
abstract class HoldingResponse extends HttpServletResponseWrapper {

    /**
     * Guards the held headers, the state of the response and all writing to it: the request's thread, one that streams
     * for it, and one that answers in its place may meet here, and exactly one of them gets to send the headers. Not a
     * monitor, because it is held while a slow client takes its bytes, and a monitor would pin a virtual thread
     * to its carrier on JDK 21 to 23.
     */
    final ReentrantLock lock = new ReentrantLock();

    final HeldBackHeaders held = new HeldBackHeaders();

    private final HttpServletRequest request;

    HoldingResponse(HttpServletRequest request, HttpServletResponse response) {
        super(response);
        this.request = request;
    }

    /** Whether nothing more is taken, because somebody else has answered or the request is over. */
    abstract boolean isClosed();

    /** Hears of each length that is set for the body. */
    abstract void bodyLength(long length);

    /** Whether what runs is included in another resource, and so may write to the body but to nothing else. */
    final boolean isIncluded() {
        return this.request.getAttribute(RequestDispatcher.INCLUDE_REQUEST_URI) != null;
    }

    /** Whether another thread writes the body piece by piece, after the handler has returned. */
    final boolean isStreaming() {
        return this.request.isAsyncStarted();
    }

    final void change(Runnable change) {
        this.lock.lock();
        try {
            if (!isClosed()) {
                change.run();
            }
        } finally {
            this.lock.unlock();
        }
    }

    // What comes after the commit goes to the container, which ignores it.
    private @Nullable String heldName(String header) {
        String name = HeldBackHeaders.nameOf(header);
        return (name != null && !isCommitted() && !isIncluded()) ? name : null;
    }

    @Override
    public void setHeader(String header, String value) {
        change(() -> {
            String name = heldName(header);
            if (name != null) {
                this.held.set(name, value);
            } else {
                noteLength(header, value);
                super.setHeader(header, value);
            }
        });
    }

    @Override
    public void addHeader(String header, String value) {
        change(() -> {
            String name = heldName(header);
            if (name != null) {
                this.held.add(name, value);
            } else {
                noteLength(header, value);
                super.addHeader(header, value);
            }
        });
    }

    @Override
    public void setDateHeader(String header, long date) {
        setHeader(header, HeldBackHeaders.date(date));
    }

    @Override
    public void addDateHeader(String header, long date) {
        addHeader(header, HeldBackHeaders.date(date));
    }

    @Override
    public void setIntHeader(String header, int value) {
        setHeader(header, Integer.toString(value));
    }

    @Override
    public void addIntHeader(String header, int value) {
        addHeader(header, Integer.toString(value));
    }

    private void noteLength(String header, @Nullable String value) {
        if (value != null && header.equalsIgnoreCase("Content-Length")) {
            try {
                bodyLength(Long.parseLong(value.trim()));
            } catch (NumberFormatException ex) {
                // For the container to complain about.
            }
        }
    }

    @Override
    public void setContentLength(int length) {
        setContentLengthLong(length);
    }

    @Override
    public void setContentLengthLong(long length) {
        change(() -> {
            bodyLength(length);
            super.setContentLengthLong(length);
        });
    }

    @Override
    public boolean containsHeader(String header) {
        return !heldValues(header).isEmpty() || super.containsHeader(header);
    }

    @Override
    public @Nullable String getHeader(String header) {
        List<String> values = heldValues(header);
        return values.isEmpty() ? super.getHeader(header) : values.get(0);
    }

    @Override
    public Collection<String> getHeaders(String header) {
        List<String> values = heldValues(header);
        return values.isEmpty() ? super.getHeaders(header) : List.copyOf(values);
    }

    @Override
    public Collection<String> getHeaderNames() {
        Set<String> names = new LinkedHashSet<>(super.getHeaderNames());
        names.addAll(this.held.names());
        return names;
    }

    private List<String> heldValues(String header) {
        String name = HeldBackHeaders.nameOf(header);
        return (name != null) ? this.held.get(name) : List.of();
    }
}
