package dev.deadline.servlet;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;

/** The body of a request as bytes, in time. */
final class BoundedInputStream extends ServletInputStream {

    private final ServletInputStream stream;

    private final RequestBody body;

    BoundedInputStream(ServletInputStream stream, RequestBody body) {
        this.stream = stream;
        this.body = body;
    }

    static <T> T read(RequestBody body, RequestBody.Reading<T> reading) throws IOException {
        try {
            return body.read(reading);
        } catch (ServletException ex) {
            throw new IOException(ex);
        }
    }

    @Override
    public int read() throws IOException {
        return read(this.body, this.stream::read);
    }

    @Override
    public int read(byte[] bytes, int offset, int count) throws IOException {
        return read(this.body, () -> this.stream.read(bytes, offset, count));
    }

    @Override
    public int available() throws IOException {
        return read(this.body, this.stream::available);
    }

    @Override
    public void close() throws IOException {
        this.stream.close();
    }

    @Override
    public boolean isFinished() {
        return this.stream.isFinished();
    }

    @Override
    public boolean isReady() {
        return this.stream.isReady();
    }

    @Override
    public void setReadListener(ReadListener listener) {
        this.stream.setReadListener(listener);
    }
}
