package dev.deadline.jdbc;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Section;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.FilterReader;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import org.jspecify.annotations.Nullable;

/** The streams of large objects: the thread that reads or writes one is in the driver, and not to be interrupted. */
final class ShieldedStreams {

    private ShieldedStreams() {}

    /** What to hand out in place of what a driver answered; that itself if it is no stream. */
    static @Nullable Object shielded(@Nullable Object answer) {
        if (answer instanceof InputStream input) {
            return new Input(input);
        }
        if (answer instanceof Reader reader) {
            return new Characters(reader);
        }
        if (answer instanceof OutputStream output) {
            return new Output(output);
        }
        return (answer instanceof Writer writer) ? new Text(writer) : answer;
    }

    private static final class Input extends FilterInputStream {

        Input(InputStream input) {
            super(input);
        }

        @Override
        public int read() throws IOException {
            try (Section shield = DeadlineEngine.shield()) {
                return super.read();
            }
        }

        @Override
        public int read(byte[] target, int offset, int size) throws IOException {
            try (Section shield = DeadlineEngine.shield()) {
                return super.read(target, offset, size);
            }
        }

        @Override
        public long skip(long count) throws IOException {
            try (Section shield = DeadlineEngine.shield()) {
                return super.skip(count);
            }
        }

        @Override
        public int available() throws IOException {
            try (Section shield = DeadlineEngine.shield()) {
                return super.available();
            }
        }

        @Override
        public void close() throws IOException {
            try (Section shield = DeadlineEngine.shield()) {
                super.close();
            }
        }
    }

    private static final class Characters extends FilterReader {

        Characters(Reader reader) {
            super(reader);
        }

        @Override
        public int read() throws IOException {
            try (Section shield = DeadlineEngine.shield()) {
                return super.read();
            }
        }

        @Override
        public int read(char[] target, int offset, int size) throws IOException {
            try (Section shield = DeadlineEngine.shield()) {
                return super.read(target, offset, size);
            }
        }

        @Override
        public long skip(long count) throws IOException {
            try (Section shield = DeadlineEngine.shield()) {
                return super.skip(count);
            }
        }

        @Override
        public void close() throws IOException {
            try (Section shield = DeadlineEngine.shield()) {
                super.close();
            }
        }
    }

    private static final class Output extends FilterOutputStream {

        Output(OutputStream output) {
            super(output);
        }

        @Override
        public void write(int one) throws IOException {
            try (Section shield = DeadlineEngine.shield()) {
                this.out.write(one);
            }
        }

        @Override
        public void write(byte[] source, int offset, int size) throws IOException {
            try (Section shield = DeadlineEngine.shield()) {
                this.out.write(source, offset, size);
            }
        }

        @Override
        public void flush() throws IOException {
            try (Section shield = DeadlineEngine.shield()) {
                this.out.flush();
            }
        }

        @Override
        public void close() throws IOException {
            try (Section shield = DeadlineEngine.shield()) {
                this.out.close();
            }
        }
    }

    private static final class Text extends FilterWriter {

        Text(Writer writer) {
            super(writer);
        }

        @Override
        public void write(int one) throws IOException {
            try (Section shield = DeadlineEngine.shield()) {
                super.write(one);
            }
        }

        @Override
        public void write(char[] source, int offset, int size) throws IOException {
            try (Section shield = DeadlineEngine.shield()) {
                super.write(source, offset, size);
            }
        }

        @Override
        public void write(String source, int offset, int size) throws IOException {
            try (Section shield = DeadlineEngine.shield()) {
                super.write(source, offset, size);
            }
        }

        @Override
        public void flush() throws IOException {
            try (Section shield = DeadlineEngine.shield()) {
                super.flush();
            }
        }

        @Override
        public void close() throws IOException {
            try (Section shield = DeadlineEngine.shield()) {
                super.close();
            }
        }
    }
}
