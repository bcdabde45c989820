package dev.deadline.servlet;

import java.io.EOFException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;

/** Lets the guard know of every character before the container gets it. */
final class GuardedWriter extends Writer {

    private final PrintWriter writer;

    private final ResponseGuard guard;

    private final int bytesPerAscii;

    private final int mostBytes;

    GuardedWriter(PrintWriter writer, String encoding, ResponseGuard guard) {
        this.writer = writer;
        this.guard = guard;
        Charset charset = Charset.forName(encoding);
        this.bytesPerAscii = "a".getBytes(charset).length;
        this.mostBytes = (int) Math.ceil(charset.newEncoder().maxBytesPerChar());
    }

    // At most; so the headers may be decided on a little before they are sent, but never after.
    private long bytes(CharSequence text) {
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            bytes += (text.charAt(i) < 0x80) ? this.bytesPerAscii : this.mostBytes;
        }
        return bytes;
    }

    @Override
    public void write(char[] characters, int offset, int count) throws IOException {
        long bytes = bytes(CharBuffer.wrap(characters, offset, count));
        this.guard.write(bytes, () -> this.writer.write(characters, offset, count));
    }

    @Override
    public void write(String text, int offset, int count) throws IOException {
        long bytes = bytes(CharBuffer.wrap(text, offset, offset + count));
        this.guard.write(bytes, () -> this.writer.write(text, offset, count));
    }

    @Override
    public void flush() throws IOException {
        this.guard.flush(() -> {
            // Flushes, and tells whether the client is still there, which flush() would not.
            if (this.writer.checkError()) {
                throw new EOFException("The response could not be written, as the client takes it no more");
            }
        });
    }

    @Override
    public void close() throws IOException {
        this.guard.flush(this.writer::close);
    }
}
