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
 * {@code /drip-fixed} send a byte now and then, {@code /redirect} takes a while to redirect to itself, {@code /expired} and
 * {@code /unavailable} answer 503 with and without saying that time ran out.
 */
public final class FaultServer implements AutoCloseable {

    public record Request(String path, Map<String, List<String>> headers) {

        public List<String> header(String name) {
            return this.headers.getOrDefault(name, List.of());
        }
    }

    private final ServerSocket listener;

    private final List<Connection> connections = new CopyOnWriteArrayList<>();

    private final List<Request> requests = new CopyOnWriteArrayList<>();

    public FaultServer() {
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

        Connection(Socket socket) {
            this.socket = socket;
        }

        @Override
        public void run() {
            try (this.socket) {
                BufferedReader reader = new BufferedReader(
                        new InputStreamReader(this.socket.getInputStream(), StandardCharsets.ISO_8859_1));
                String line = reader.readLine();
                while (line != null) {
                    Request request = new Request(line.split(" ")[1], headers(reader));
                    this.lastPath = request.path();
                    FaultServer.this.requests.add(request);
                    answer(request.path());
                    line = reader.readLine();
                }
            } catch (IOException ex) {
                // Reset by the client.
            } finally {
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

        private void answer(String path) throws IOException {
            switch (path) {
                case "/ok" -> send("200 OK", "Content-Length: 2", "ok");
                case "/stall" -> send("200 OK", "Content-Length: 100", "");
                case "/redirect" -> redirect();
                case "/expired" ->
                    send("503 Unavailable", "X-Degraded: request=budget_exhausted;80\r\nContent-Length: 4", "late");
                case "/unavailable" -> send("503 Unavailable", "Content-Length: 4", "sick");
                case "/drip" -> drip("Transfer-Encoding: chunked", "1\r\nx\r\n");
                case "/drip-fixed" -> drip("Content-Length: 100000", "x");
                default -> assertThat(path).isEqualTo("/silent");
            }
        }

        private void redirect() throws IOException {
            try {
                this.closed.await(50, TimeUnit.MILLISECONDS);
            } catch (InterruptedException ex) {
                throw new IOException(ex);
            }
            send("302 Found", "Location: /redirect\r\nContent-Length: 0", "");
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
