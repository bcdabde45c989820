package dev.deadline.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/** A local port that leads to another one, a way on which everything takes some time in each direction. */
final class DistantPort implements AutoCloseable {

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    private final int target;

    private final long delayNanos;

    DistantPort(int target, Duration delay) throws IOException {
        this.target = target;
        this.delayNanos = delay.toNanos();
        start(this::accept);
    }

    int port() {
        return this.server.getLocalPort();
    }

    private static void start(Leg leg) {
        Thread thread = new Thread(() -> {
            try {
                leg.run();
            } catch (IOException ex) {
                // It is over.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket near = this.server.accept();
            Socket far = new Socket(InetAddress.getLoopbackAddress(), this.target);
            for (Socket socket : List.of(near, far)) {
                socket.setTcpNoDelay(true);
                this.sockets.add(socket);
            }
            start(() -> carry(near, far));
            start(() -> carry(far, near));
        }
    }

    // What arrives while something is on its way goes with the next.
    private void carry(Socket from, Socket to) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] bytes = new byte[64 * 1024];
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                long due = System.nanoTime() + this.delayNanos;
                while (System.nanoTime() - due < 0) {
                    LockSupport.parkNanos(due - System.nanoTime());
                }
                out.write(bytes, 0, count);
            }
        }
    }

    @Override
    public void close() throws IOException {
        this.server.close();
        for (Socket socket : this.sockets) {
            socket.close();
        }
    }

    @FunctionalInterface
    private interface Leg {

        void run() throws IOException;
    }
}
