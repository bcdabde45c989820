package dev.deadline.compat.webclient;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * An upstream on real sockets that misbehaves as the path says, and that knows when its connections are closed.
 *
 * <p>{@code /ok} answers, {@code /silent} never does, {@code /stall} sends headers and then nothing, {@code /drip} and
 * {@code /drip-fixed} send a byte now and then, {@code /redirect} and {@code /redirect-slowly} take a while to redirect to themselves, {@code /expired} and
 * {@code /unavailable} answer 503 with and without saying that time ran out, {@code /retry-later} with advice. {@code /echo/…} answers with
 * its path, {@code /half/…} with the beginning of 4 MB and nothing more, {@code /flood} with as much as is taken.
 */
public final class FaultServer implements AutoCloseable {

    public record Request(String path, Map<String, List<String>> headers) {

        public List<String> header(String name) {
            return this.headers.getOrDefault(name, List.of());
        }
    }

    private final ServerSocket listener;

    private final boolean mute;

    private final List<Connection> connections = new CopyOnWriteArrayList<>();

    private final List<Request> requests = new CopyOnWriteArrayList<>();

    public FaultServer() {
        this(false);
    }

    /** A server that accepts connections and never says anything, not even its part of a TLS handshake. */
    public static FaultServer mute() {
        return new FaultServer(true);
    }

    private FaultServer(boolean mute) {
        this.mute = mute;
        try {
            this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        start(this::accept);
    }

    /** Makes one call without a deadline, so that no test pays for the loading of the client. */
    public static void warmUp(WebClient client) {
        try (FaultServer upstream = new FaultServer()) {
            client.get()
                    .uri(upstream.url("/ok"))
                    .retrieve()
                    .bodyToMono(String.class)
                    .block();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    public String url(String path) {
        return "http://localhost:" + this.listener.getLocalPort() + path;
    }

    public List<Request> requests() {
        return this.requests;
    }

    public int accepted() {
        return this.connections.size();
    }

    /** Waits until the client has closed every connection that it made for one of the calls that never end. */
    public void awaitAllClosed() throws InterruptedException {
        List<Connection> endless = this.connections.stream()
                .filter(connection -> !connection.lastPath.equals("/ok"))
                .toList();
        assertThat(endless).isNotEmpty();
        for (Connection connection : endless) {
            assertThat(connection.closed.await(5, TimeUnit.SECONDS))
                    .as("connection closed")
                    .isTrue();
        }
    }

    /**
     * Waits until the client has closed every connection that it made for one of the calls that never end.
     *
     * @return when the last was seen closed, by {@link System#nanoTime()}; the largest long if one was not by then
     */
    public long closedAt(Duration limit) throws InterruptedException {
        long until = System.nanoTime() + limit.toNanos();
        long last = Long.MIN_VALUE;
        for (Connection connection : this.connections) {
            if (!connection.lastPath.equals("/ok")) {
                if (!connection.closed.await(until - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    return Long.MAX_VALUE;
                }
                last = Math.max(last, connection.closedAt);
            }
        }
        return last;
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "fault-server");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Connection connection = new Connection(this.listener.accept());
                this.connections.add(connection);
                start(connection);
            }
        } catch (IOException ex) {
            // Closed.
        }
    }

    @Override
    public void close() throws IOException {
        this.listener.close();
        for (Connection connection : this.connections) {
            connection.socket.close();
        }
    }

    private final class Connection implements Runnable {

        private final Socket socket;

        private final CountDownLatch closed = new CountDownLatch(1);

        private volatile String lastPath = "";

        private volatile long closedAt;

        Connection(Socket socket) {
            this.socket = socket;
        }

        @Override
        public void run() {
            try (this.socket) {
                if (FaultServer.this.mute) {
                    this.socket.getInputStream().transferTo(OutputStream.nullOutputStream());
                    return;
                }
                BufferedReader reader = new BufferedReader(
                        new InputStreamReader(this.socket.getInputStream(), StandardCharsets.ISO_8859_1));
                String line = reader.readLine();
                while (line != null) {
                    Request request = new Request(line.split(" ")[1], headers(reader));
                    skipBody(request, reader);
                    this.lastPath = request.path();
                    FaultServer.this.requests.add(request);
                    answer(request.path());
                    line = reader.readLine();
                }
            } catch (IOException ex) {
                // Reset by the client.
            } finally {
                this.closedAt = System.nanoTime();
                this.closed.countDown();
            }
        }

        private Map<String, List<String>> headers(BufferedReader reader) throws IOException {
            Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            for (String line = reader.readLine(); line != null && !line.isEmpty(); line = reader.readLine()) {
                String[] parts = line.split(":", 2);
                headers.computeIfAbsent(parts[0].toLowerCase(Locale.ROOT), name -> new CopyOnWriteArrayList<>())
                        .add(parts[1].trim());
            }
            return headers;
        }

        private void skipBody(Request request, BufferedReader reader) throws IOException {
            for (String length : request.header("Content-Length")) {
                reader.skip(Long.parseLong(length));
            }
        }

        private void answer(String path) throws IOException {
            if (path.startsWith("/echo/")) {
                echo(path);
                return;
            }
            if (path.startsWith("/half/")) {
                half(path);
                return;
            }
            switch (path) {
                case "/ok" -> send("200 OK", "Content-Length: 2", "ok");
                case "/stall" -> send("200 OK", "Content-Length: 100", "");
                case "/redirect" -> redirect(path, 50);
                case "/redirect-slowly" -> redirect(path, 100);
                case "/retry-later" -> send("503 Unavailable", "Retry-After: 30\r\nContent-Length: 4", "sick");
                case "/expired" ->
                    send("503 Unavailable", "X-Degraded: request=budget_exhausted;80\r\nContent-Length: 4", "late");
                case "/unavailable" -> send("503 Unavailable", "Content-Length: 4", "sick");
                case "/flood" -> flood();
                case "/drip" -> drip("Transfer-Encoding: chunked", "1\r\nx\r\n");
                case "/drip-fixed" -> drip("Content-Length: 100000", "x");
                default -> assertThat(path).isEqualTo("/silent");
            }
        }

        private void redirect(String path, long millis) {
            start(() -> {
                try {
                    if (!this.closed.await(millis, TimeUnit.MILLISECONDS)) {
                        send("302 Found", "Location: " + path + "\r\nContent-Length: 0", "");
                    }
                } catch (IOException | InterruptedException ex) {
                    // Nobody listens any more; the reading thread notices.
                }
            });
        }

        private void echo(String path) throws IOException {
            send("200 OK", "Content-Type: text/plain\r\nContent-Length: " + path.length(), path);
        }

        private void half(String path) throws IOException {
            send("200 OK", "Content-Type: application/octet-stream\r\nContent-Length: 4000000", path.repeat(8000));
        }

        private void drip(String header, String drop) throws IOException {
            send("200 OK", "Content-Type: text/plain\r\n" + header, "");
            start(() -> {
                try {
                    while (!this.closed.await(20, TimeUnit.MILLISECONDS)) {
                        write(drop);
                    }
                } catch (IOException | InterruptedException ex) {
                    // Nobody listens any more; the reading thread notices.
                }
            });
        }

        private void flood() throws IOException {
            send("200 OK", "Content-Type: application/octet-stream\r\nContent-Length: 9000000000", "");
            byte[] wave = new byte[65536];
            while (true) {
                this.socket.getOutputStream().write(wave);
            }
        }

        private void send(String status, String headers, String body) throws IOException {
            write("HTTP/1.1 " + status + "\r\n" + headers + "\r\n\r\n" + body);
        }

        private void write(String text) throws IOException {
            OutputStream out = this.socket.getOutputStream();
            out.write(text.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
        }
    }
}
