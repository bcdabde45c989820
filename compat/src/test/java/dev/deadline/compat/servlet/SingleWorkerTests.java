package dev.deadline.compat.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * C36, C38, C46: one thread serves all requests, whose deadlines come at any moment, and each sees its own body,
 * headers, deadline and connection, and nobody's interrupt. {@code -Dsingle.requests=100000} is the long run.
 */
class SingleWorkerTests {

    private static final int CONNECTIONS = 6;

    private static final int REQUESTS = Integer.getInteger("single.requests", 600);

    private final Map<String, AtomicInteger> seen = new ConcurrentHashMap<>();

    @Test
    void givesEachRequestWhatIsItsOwn() {
        try (RunningApplication app = Server.TOMCAT.start(
                "deadline.budget=1s",
                "deadline.watchdog.grace=4ms",
                "logging.level.deadline=off",
                "server.tomcat.threads.max=1",
                "server.tomcat.threads.min-spare=1")) {
            List<String> wrong = IntStream.range(0, CONNECTIONS)
                    .mapToObj(id ->
                            CompletableFuture.supplyAsync(() -> talk(app.port(), id), task -> new Thread(task).start()))
                    .toList()
                    .stream()
                    .map(CompletableFuture::join)
                    .filter(text -> !text.isEmpty())
                    .toList();

            assertThat(wrong).isEmpty();
            app.events();
        }
        System.out.println("single worker: " + new TreeMap<>(this.seen));
    }

    private String talk(int port, int client) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        RawConnection connection = null;
        try {
            for (int i = 0; i < REQUESTS / CONNECTIONS; i++) {
                if (connection == null) {
                    connection = new RawConnection(port);
                }
                String id = client + "-" + i;
                String act = List.of("echoes", "echoes", "blocks", "spins").get(random.nextInt(4));
                int millis = 1 + random.nextInt(act.equals("echoes") ? 30 : 8);
                connection.send("POST /single?act=" + act + " HTTP/1.1\r\nHost: localhost\r\nX-Id: " + id
                        + "\r\nX-Deadline-Remaining-Ms: " + millis + "\r\nContent-Type: text/plain\r\nContent-Length: "
                        + id.length() + "\r\n\r\n" + id);
                boolean leaves = random.nextInt(20) == 0;
                RawAnswer answer = leaves ? null : connection.readAnswer();
                String fault = (answer == null) ? "" : fault(answer, id, millis);
                if (!fault.isEmpty()) {
                    return id + " (" + act + ", " + millis + " ms): " + fault;
                }
                String what = leaves ? "left" : Integer.toString(answer.status());
                boolean closes = leaves || answer.header("Connection").equals("close");
                this.seen
                        .computeIfAbsent(act + " " + what + (closes ? " closed" : ""), key -> new AtomicInteger())
                        .incrementAndGet();
                if (closes) {
                    connection.close();
                    connection = null;
                }
            }
            return "";
        } catch (IOException ex) {
            return client + " failed: " + ex;
        }
    }

    private static String fault(RawAnswer answer, String id, int millis) {
        String[] parts = answer.body().split(",");
        boolean own = answer.header("X-Id").equals(id);
        if (answer.status() == 200) {
            boolean right = own
                    && parts.length == 4
                    && parts[0].equals(id)
                    && parts[1].equals(id)
                    && parts[2].equals("false")
                    && Long.parseLong(parts[3]) <= millis;
            return right ? "" : "got " + answer;
        }
        boolean refused = answer.status() == 503
                && answer.header("X-Degraded").contains("request=budget_exhausted;")
                && (own || answer.header("X-Id").isEmpty())
                && !answer.body().contains(",false,");
        return refused ? "" : "got " + answer;
    }
}
