package dev.deadline.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;

/** Lets the guard know of every byte before the container gets it. */
final class GuardedOutputStream extends ServletOutputStream {

    private final ServletOutputStream stream;

    private final ResponseGuard guard;

    GuardedOutputStream(ServletOutputStream stream, ResponseGuard guard) {
        this.stream = stream;
        this.guard = guard;
    }

    @Override
    public void write(int value) throws IOException {
        this.guard.write(1, () -> this.stream.write(value));
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        this.guard.write(count, () -> this.stream.write(bytes, offset, count));
    }

    @Override
    public void flush() throws IOException {
        this.guard.flush(this.stream::flush);
    }

    @Override
    public void close() throws IOException {
        this.guard.flush(this.stream::close);
    }

    /** True also when it is too late, as the write then says so at once. */
    @Override
    public boolean isReady() {
        boolean[] waits = new boolean[1];
        this.guard.change(() -> waits[0] = !this.stream.isReady());
        return !waits[0];
    }

    @Override
    public void setWriteListener(WriteListener listener) {
        this.guard.change(() -> this.stream.setWriteListener(listener));
    }
}
