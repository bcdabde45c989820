package dev.deadline.compat.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deadline.DeadlineListener;
import dev.deadline.GateCause;
import dev.deadline.Outcome;
import dev.deadline.Priority;
import dev.deadline.Reason;
import dev.deadline.compat.servlet.RawAnswer;
import dev.deadline.compat.servlet.RawConnection;
import dev.deadline.gateway.ArrivalQueue;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.servlet.config.annotation.CorsRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Tomcat with one thread and a gate that enforces: what waits too long for the thread is shed. */
@ExtendWith(OutputCaptureExtension.class)
class GateTests {

    private static final long BUDGET_MILLIS = 100;

    // Long enough for the first byte of a stream on a busy machine.
    private static final Duration STREAM_BUDGET = Duration.ofSeconds(2);

    private static ConfigurableApplicationContext context;

    private static final Events events = new Events();

    private static String log;

    private final StampPages pages = context.getBean(StampPages.class);

    private final ArrivalQueue queue = context.getBean(ArrivalQueue.class);

    @BeforeAll
    static void start(CapturedOutput output) {
        context = StampApplication.start(
                additions -> {
                    additions.registerBean("events", DeadlineListener.class, () -> events);
                    additions.registerBean("cors", WebMvcConfigurer.class, Cors::new);
                },
                "deadline.budget=10s",
                "deadline.routes[0].paths=/hurries",
                "deadline.routes[0].budget=" + BUDGET_MILLIS + "ms",
                "deadline.routes[1].paths=/streams",
                "deadline.routes[1].budget=" + STREAM_BUDGET.toMillis() + "ms",
                "deadline.exclude-paths=/holds",
                "deadline.gateway.shedding.mode=enforce",
                "deadline.gateway.exempt-paths=/tells",
                "deadline.gateway.priority.trusted-peers=127.0.0.1",
                "logging.level.dev.deadline=info",
                "server.tomcat.threads.max=1",
                "server.tomcat.threads.min-spare=1");
        log = output.getAll();
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @BeforeEach
    void forget() {
        this.pages.served.set(0);
        events.gate.clear();
        events.requests.clear();
    }

    private static RawConnection connect() throws IOException {
        return new RawConnection(StampApplication.port(context));
    }

    private static String request(String method, String path, String... headers) {
        return method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n"
                + String.join(
                        "",
                        List.of(headers).stream().map(header -> header + "\r\n").toList()) + "\r\n";
    }

    // Sends a request while the only thread is busy, and frees the thread when the request has waited for too long.
    private RawAnswer afterWaiting(RawConnection waiting, String request) throws IOException {
        this.pages.release = new CountDownLatch(1);
        this.pages.holding.set(0);
        try (RawConnection busy = connect()) {
            busy.send(request("GET", "/holds"));
            await().until(() -> this.pages.holding.get() == 1);
            // Connections that other tests have closed may be in the queue as well.
            int before = this.queue.size();
            waiting.send(request);
            await().until(() -> this.queue.size() > before);
            long queued = System.nanoTime();
            await().pollInterval(Duration.ofMillis(10))
                    .until(() -> System.nanoTime() - queued > TimeUnit.MILLISECONDS.toNanos(BUDGET_MILLIS + 50));
            this.pages.release.countDown();
            assertThat(busy.readAnswer().body()).isEqualTo("released");
            return waiting.readAnswer();
        }
    }

    /** C64. */
    @Test
    void shedsWhatExpiredInTheQueueWithoutRunningItsHandler() throws Exception {
        try (RawConnection connection = connect()) {
            RawAnswer answer = afterWaiting(connection, request("GET", "/hurries"));

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.header("X-Degraded")).matches("gate=shed;\\d{3,}");
            assertThat(answer.header("Retry-After")).matches("[123]");
            assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
            assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(answer.body())
                    .isEqualTo("{\"type\":\"about:blank\",\"title\":\"Service Unavailable\",\"status\":503}");
            assertThat(this.pages.served).hasValue(0);

            // The connection is kept.
            connection.send(request("GET", "/tells"));
            assertThat(connection.readAnswer().status()).isEqualTo(200);
        }
        await().until(() -> events.requests.stream().anyMatch(event -> event.reason() == Reason.SHED));
        assertThat(events.gate).singleElement().satisfies(event -> {
            assertThat(event.reason()).isEqualTo(Reason.SHED);
            assertThat(event.cause()).isEqualTo(GateCause.EXPIRED);
            assertThat(event.priority()).isEqualTo(Priority.DEFAULT);
            assertThat(event.waitedNanos()).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(BUDGET_MILLIS));
            assertThat(event.enforced()).isTrue();
        });
        assertThat(events.requests)
                .filteredOn(event -> event.reason() == Reason.SHED)
                .singleElement()
                .satisfies(event -> assertThat(event.outcome()).isEqualTo(Outcome.REFUSED));
    }

    /** C62: what is exempt waits like everybody, and is answered. */
    @Test
    void neverRefusesWhatIsExempt() throws Exception {
        try (RawConnection connection = connect()) {
            assertThat(afterWaiting(connection, request("GET", "/tells")).status())
                    .isEqualTo(200);
        }
        assertThat(events.gate).isEmpty();
    }

    /** C70. */
    @Test
    void letsABrowserReadTheRefusal() throws Exception {
        try (RawConnection connection = connect()) {
            RawAnswer answer = afterWaiting(connection, request("GET", "/hurries", "Origin: https://shop.example"));

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo("https://shop.example");
        }
        try (RawConnection connection = connect()) {
            RawAnswer answer = afterWaiting(connection, request("GET", "/hurries", "Origin: https://evil.example"));

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.header("Access-Control-Allow-Origin")).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"critical", "CRITICAL", " sheddable ", "nonsense"})
    void takesThePriorityThatATrustedPeerSends(String said) throws Exception {
        try (RawConnection connection = connect()) {
            afterWaiting(connection, request("GET", "/hurries", "X-Request-Priority: " + said));
        }
        String code = said.strip().toLowerCase();
        assertThat(events.gate)
                .singleElement()
                .extracting(event -> event.priority().code())
                .isEqualTo(code.equals("nonsense") ? "default" : code);
    }

    @Test
    void doesNotReadTheBodyOfWhatItRefuses() throws Exception {
        try (RawConnection connection = connect()) {
            RawAnswer answer = afterWaiting(
                    connection, request("POST", "/hurries", "Content-Length: 100000000", "Content-Type: text/plain"));

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.header("Connection")).isEqualTo("close");
            // Nobody sends the body, and the connection ends all the same.
            assertThat(connection.readToEnd()).isEmpty();
        }
    }

    /** Otherwise a server that does nothing but stream would seem to have no time for streams. */
    @Test
    @EnabledIfSystemProperty(named = "deadline.slow-tests", matches = "true")
    void judgesAStreamByItsFirstByteAndNotByItsLength() throws Exception {
        this.pages.release = new CountDownLatch(1);
        List<RawConnection> streams = new ArrayList<>();
        long begin = System.nanoTime();
        // More than it takes to know a kind of request.
        for (int i = 0; i < 52; i++) {
            RawConnection stream = connect();
            streams.add(stream);
            stream.send(request("GET", "/streams"));
            assertThat(stream.readHead().status()).isEqualTo(200);
        }
        await().until(() -> System.nanoTime() - begin > STREAM_BUDGET.toNanos() * 3 / 2);
        this.pages.release.countDown();
        for (RawConnection stream : streams) {
            stream.close();
        }

        for (int i = 0; i < 20; i++) {
            try (RawConnection stream = connect()) {
                stream.send(request("GET", "/streams"));
                assertThat(stream.readAnswer().status()).isEqualTo(200);
            }
        }
        assertThat(events.gate).isEmpty();
    }

    /** C63. */
    @Test
    void saysAtTheStartWhatItGoesBy() {
        assertThat(log)
                .contains(
                        "Shedding (enforce) goes by how long requests wait for a thread, how many are in flight and how"
                                + " long they take.");
    }

    static final class Events implements DeadlineListener {

        final List<GateEvent> gate = new CopyOnWriteArrayList<>();

        final List<RequestEvent> requests = new CopyOnWriteArrayList<>();

        @Override
        public void gateRefused(GateEvent event) {
            this.gate.add(event);
        }

        @Override
        public void requestFinished(RequestEvent event) {
            this.requests.add(event);
        }
    }

    static final class Cors implements WebMvcConfigurer {

        @Override
        public void addCorsMappings(CorsRegistry registry) {
            registry.addMapping("/**").allowedOrigins("https://shop.example");
        }
    }
}
