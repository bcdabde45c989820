package dev.deadline.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;

/** Lets the guard know of every byte before the container gets it. */
final class GuardedOutputStream extends ServletOutputStream {

    private final ServletOutputStream stream;

    private final GuardedResponse response;

    GuardedOutputStream(ServletOutputStream stream, GuardedResponse response) {
        this.stream = stream;
        this.response = response;
    }

    @Override
    public void write(int value) throws IOException {
        this.response.write(1, () -> this.stream.write(value));
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        this.response.write(count, () -> this.stream.write(bytes, offset, count));
    }

    @Override
    public void flush() throws IOException {
        this.response.flush(this.stream::flush);
    }

    @Override
    public void close() throws IOException {
        this.response.flush(this.stream::close);
    }

    @Override
    public boolean isReady() {
        return this.stream.isReady();
    }

    @Override
    public void setWriteListener(WriteListener listener) {
        this.stream.setWriteListener(listener);
    }
}
