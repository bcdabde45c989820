package dev.deadline.servlet;

import java.io.IOException;
import java.io.Reader;

/** The body of a request as characters, in time. */
final class BoundedReader extends Reader {

    private final Reader reader;

    private final RequestBody body;

    BoundedReader(Reader reader, RequestBody body) {
        this.reader = reader;
        this.body = body;
    }

    @Override
    public int read(char[] characters, int offset, int count) throws IOException {
        return BoundedInputStream.read(this.body, () -> this.reader.read(characters, offset, count));
    }

    @Override
    public boolean ready() throws IOException {
        return BoundedInputStream.read(this.body, this.reader::ready);
    }

    @Override
    public void close() throws IOException {
        this.reader.close();
    }
}
