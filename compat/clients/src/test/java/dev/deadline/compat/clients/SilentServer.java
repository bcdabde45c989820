package dev.deadline.compat.clients;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Accepts connections and never says a word on them, unless told to answer HTTP; notices when they are closed. */
final class SilentServer implements AutoCloseable {

    enum Manner {
        SILENT,
        ANSWERING,
        DRIPPING
    }

    private final ServerSocket listener;

    private final List<Socket> connections = new CopyOnWriteArrayList<>();

    private final AtomicInteger closed = new AtomicInteger();

    private volatile Manner manner = Manner.SILENT;

    SilentServer() {
        try {
            this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        start(this::accept);
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "silent-server");
        thread.setDaemon(true);
        thread.start();
    }

    SilentServer be(Manner changed) {
        this.manner = changed;
        return this;
    }

    int port() {
        return this.listener.getLocalPort();
    }

    String url() {
        return "http://localhost:" + port() + "/";
    }

    int closed() {
        return this.closed.get();
    }

    void awaitClosed(int connections) {
        await().atMost(Duration.ofSeconds(10)).until(() -> closed() >= connections);
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = this.listener.accept();
                this.connections.add(connection);
                start(() -> serve(connection));
            }
        } catch (IOException ex) {
            // The end of the test.
        }
    }

    private void serve(Socket connection) {
        try {
            InputStream in = connection.getInputStream();
            byte[] buffer = new byte[8192];
            while (in.read(buffer) >= 0) {
                if (this.manner != Manner.SILENT) {
                    answer(connection.getOutputStream());
                }
            }
        } catch (IOException ex) {
            // Closed in another way.
        }
        this.closed.incrementAndGet();
    }

    private void answer(OutputStream out) throws IOException {
        boolean dripping = this.manner == Manner.DRIPPING;
        out.write(
                ("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " + (dripping ? 1000 : 2) + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        if (!dripping) {
            out.write("ok".getBytes(StandardCharsets.US_ASCII));
            return;
        }
        for (int sent = 0; sent < 1000; sent++) {
            out.write('x');
            out.flush();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    @Override
    public void close() throws IOException {
        this.listener.close();
        for (Socket connection : this.connections) {
            connection.close();
        }
    }
}
