package dev.deadline.compat.servlet;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A client that decides on every byte itself. */
public final class RawConnection implements AutoCloseable {

    private final Socket socket;

    private final InputStream in;

    public RawConnection(int port) throws IOException {
        this(new Socket("localhost", port));
    }

    public RawConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.socket.setSoTimeout(15_000);
        this.socket.setTcpNoDelay(true);
        this.in = socket.getInputStream();
    }

    Socket socket() {
        return this.socket;
    }

    public void send(String text) throws IOException {
        this.socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        this.socket.getOutputStream().flush();
    }

    /** Reads one answer, by its length, its chunks, or to the end of the connection. */
    public RawAnswer readAnswer() throws IOException {
        RawAnswer answer = readHead();
        String length = answer.header("Content-Length");
        String body;
        if (!length.isEmpty()) {
            body = read(Integer.parseInt(length));
        } else if (answer.header("Transfer-Encoding").equalsIgnoreCase("chunked")) {
            body = readChunks();
        } else {
            body = readToEnd();
        }
        return new RawAnswer(answer.status(), answer.head(), body);
    }

    /** Reads an answer without its body. */
    public RawAnswer readHead() throws IOException {
        List<String> head = new ArrayList<>();
        for (String line = readLine(); !line.isEmpty(); line = readLine()) {
            head.add(line);
        }
        return new RawAnswer(Integer.parseInt(head.get(0).split(" ")[1]), head, "");
    }

    private String readChunks() throws IOException {
        StringBuilder body = new StringBuilder();
        for (int size = readSize(); ; size = readSize()) {
            body.append(read(size));
            readLine();
            if (size == 0) {
                return body.toString();
            }
        }
    }

    private int readSize() throws IOException {
        return Integer.parseInt(readLine(), 16);
    }

    private String read(int count) throws IOException {
        return new String(this.in.readNBytes(count), StandardCharsets.UTF_8);
    }

    private String readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = this.in.read(); next != '\n'; next = this.in.read()) {
            if (next < 0) {
                throw new EOFException("The connection ended after '" + line + "'");
            }
            if (next != '\r') {
                line.write(next);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    /** What comes until the server closes the connection. */
    public String readToEnd() throws IOException {
        return new String(this.in.readAllBytes(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        this.socket.close();
    }
}
