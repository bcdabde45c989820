package dev.deadline.servlet;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A response that holds some headers back, and reads as if it did not. */
abstract class HoldingResponse extends HttpServletResponseWrapper {

    private final ResponseGuard guard;

    HoldingResponse(HttpServletResponse response, ResponseGuard guard) {
        super(response);
        this.guard = guard;
    }

    // What comes after the commit goes to the container, which ignores it.
    private @Nullable String heldName(String header) {
        String name = HeldBackHeaders.nameOf(header);
        return (name != null && !isCommitted() && !this.guard.isIncluded()) ? name : null;
    }

    @Override
    public void setHeader(String header, String value) {
        this.guard.change(() -> {
            String name = heldName(header);
            if (name != null) {
                this.guard.held().set(name, value);
            } else {
                noteLength(header, value);
                super.setHeader(header, value);
            }
        });
    }

    @Override
    public void addHeader(String header, String value) {
        this.guard.change(() -> {
            String name = heldName(header);
            if (name != null) {
                this.guard.held().add(name, value);
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
                this.guard.announced(Long.parseLong(value.trim()));
            } catch (NumberFormatException ex) {
                // For the container to complain about.
            }
        }
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
        names.addAll(this.guard.held().names());
        return names;
    }

    private List<String> heldValues(String header) {
        String name = HeldBackHeaders.nameOf(header);
        return (name != null) ? this.guard.held().get(name) : List.of();
    }
}
