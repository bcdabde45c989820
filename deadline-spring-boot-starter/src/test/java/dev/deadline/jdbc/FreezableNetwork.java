package dev.deadline.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A proxy before a server, which can stop forwarding: then nothing arrives, and nobody is told. */
final class FreezableNetwork implements AutoCloseable {

    private final ServerSocket entrance;

    private final String host;

    private final int port;

    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    private final Object monitor = new Object();

    private boolean frozen;

    FreezableNetwork(String host, int port) throws IOException {
        this.host = host;
        this.port = port;
        this.entrance = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    int port() {
        return this.entrance.getLocalPort();
    }

    void freeze() {
        synchronized (this.monitor) {
            this.frozen = true;
        }
    }

    void thaw() {
        synchronized (this.monitor) {
            this.frozen = false;
            this.monitor.notifyAll();
        }
    }

    private void awaitThaw() throws InterruptedException {
        synchronized (this.monitor) {
            while (this.frozen) {
                this.monitor.wait();
            }
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket client = this.entrance.accept();
                this.sockets.add(client);
                start(() -> connect(client));
            }
        } catch (IOException ex) {
            // Closed.
        }
    }

    private void connect(Socket client) {
        try {
            awaitThaw();
            Socket server = new Socket(this.host, this.port);
            this.sockets.add(server);
            start(() -> forward(client, server));
            forward(server, client);
        } catch (IOException ex) {
            close(client);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    private void forward(Socket from, Socket to) {
        byte[] buffer = new byte[8192];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            int read = in.read(buffer);
            while (read >= 0) {
                awaitThaw();
                out.write(buffer, 0, read);
                out.flush();
                read = in.read(buffer);
            }
            awaitThaw();
        } catch (IOException ex) {
            // One of the two is gone.
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        } finally {
            close(from);
            close(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "freezable-network");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        this.entrance.close();
        thaw();
        this.sockets.forEach(FreezableNetwork::close);
    }
}
