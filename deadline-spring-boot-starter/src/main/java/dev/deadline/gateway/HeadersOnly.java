package dev.deadline.gateway;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.PrintWriter;
import java.io.Writer;

/** A response of which nothing but the headers counts, whatever else is said and however soon. */
final class HeadersOnly extends HttpServletResponseWrapper {

    private final ServletOutputStream nowhere = new Nowhere();

    HeadersOnly(HttpServletResponse response) {
        super(response);
    }

    @Override
    public void setStatus(int status) {}

    @Override
    public void sendError(int status) {}

    @Override
    public void sendError(int status, String message) {}

    @Override
    public void sendRedirect(String location) {}

    @Override
    public ServletOutputStream getOutputStream() {
        return this.nowhere;
    }

    @Override
    public PrintWriter getWriter() {
        return new PrintWriter(Writer.nullWriter());
    }

    @Override
    public void flushBuffer() {}

    private static final class Nowhere extends ServletOutputStream {

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            throw new IllegalStateException("This response is not asynchronous");
        }

        @Override
        public void write(int b) {}
    }
}
