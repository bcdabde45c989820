package dev.deadline.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The response as the application sees it: tells the guard of everything that commits the response or its headers. */
final class GuardedResponse extends HoldingResponse {

    private final ResponseGuard guard;

    private @Nullable ServletOutputStream stream;

    private @Nullable PrintWriter writer;

    GuardedResponse(HttpServletResponse response, ResponseGuard guard) {
        super(response, guard);
        this.guard = guard;
    }

    ResponseGuard guard() {
        return this.guard;
    }

    @Override
    public void flushBuffer() throws IOException {
        this.guard.flush(super::flushBuffer);
    }

    // After these the container takes no more headers.

    @Override
    public void sendError(int status) throws IOException {
        this.guard.end(status, () -> super.sendError(status));
    }

    @Override
    public void sendError(int status, String message) throws IOException {
        this.guard.end(status, () -> super.sendError(status, message));
    }

    @Override
    public void sendRedirect(String location) throws IOException {
        this.guard.end(SC_FOUND, () -> super.sendRedirect(location));
    }

    // The following three are new in Servlet 6.1, where a wrapper that does not have them is passed over. No @Override,
    // as they are not there in 6.0.

    public void sendRedirect(String location, int status) throws IOException {
        sendRedirect(location, status, true);
    }

    public void sendRedirect(String location, boolean clearBuffer) throws IOException {
        sendRedirect(location, SC_FOUND, clearBuffer);
    }

    public void sendRedirect(String location, int status, boolean clearBuffer) throws IOException {
        HttpServletResponse response = (HttpServletResponse) getResponse();
        this.guard.end(status, () -> Redirect.send(response, location, status, clearBuffer));
    }

    @Override
    public void setStatus(int status) {
        this.guard.change(() -> super.setStatus(status));
    }

    @Override
    public void addCookie(Cookie cookie) {
        this.guard.change(() -> super.addCookie(cookie));
    }

    @Override
    public void setContentType(String type) {
        this.guard.change(() -> super.setContentType(type));
    }

    @Override
    public void setCharacterEncoding(String encoding) {
        this.guard.change(() -> super.setCharacterEncoding(encoding));
    }

    // New in Servlet 6.1, like the redirects.
    public void setCharacterEncoding(Charset encoding) {
        setCharacterEncoding(encoding.name());
    }

    @Override
    public void setLocale(Locale locale) {
        this.guard.change(() -> super.setLocale(locale));
    }

    @Override
    public void setBufferSize(int size) {
        this.guard.change(() -> super.setBufferSize(size));
    }

    @Override
    public void setTrailerFields(Supplier<Map<String, String>> supplier) {
        this.guard.change(() -> super.setTrailerFields(supplier));
    }

    @Override
    public void setContentLength(int length) {
        setContentLengthLong(length);
    }

    @Override
    public void setContentLengthLong(long length) {
        this.guard.change(() -> {
            this.guard.announced(length);
            super.setContentLengthLong(length);
        });
    }

    @Override
    public void reset() {
        this.guard.change(() -> {
            super.reset();
            if (!this.guard.isIncluded()) {
                this.guard.startOver(true);
                this.stream = null;
                this.writer = null;
            }
        });
    }

    @Override
    public void resetBuffer() {
        this.guard.change(() -> {
            super.resetBuffer();
            if (!this.guard.isIncluded()) {
                this.guard.startOver(false);
            }
        });
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        ServletOutputStream current = this.stream;
        if (current == null) {
            current = new GuardedOutputStream(this.guard.open(super::getOutputStream), this.guard);
            this.stream = current;
        }
        return current;
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        PrintWriter current = this.writer;
        if (current == null) {
            PrintWriter plain = this.guard.open(super::getWriter);
            current = new PrintWriter(new GuardedWriter(plain, getCharacterEncoding(), this.guard));
            this.writer = current;
        }
        return current;
    }
}
