package dev.deadline.compat.webclient;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** An address at which connecting never ends: its queue of connections that nobody accepts is full. */
public final class FullBacklog implements AutoCloseable {

    private final ServerSocket full;

    private final List<Socket> waiting = new ArrayList<>();

    public FullBacklog() {
        try {
            this.full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        boolean accepted = true;
        // Connects until the kernel answers no more.
        while (accepted) {
            accepted = connect();
        }
    }

    private boolean connect() {
        Socket socket = new Socket();
        this.waiting.add(socket);
        try {
            socket.connect(this.full.getLocalSocketAddress(), 200);
            return true;
        } catch (IOException ex) {
            return false;
        }
    }

    public String url() {
        return "http://127.0.0.1:" + this.full.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : this.waiting) {
            socket.close();
        }
        this.full.close();
    }
}
