package dev.deadline.compat.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deadline.compat.servlet.RawAnswer;
import dev.deadline.compat.servlet.RawConnection;
import dev.deadline.gateway.ArrivalQueue;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.tomcat.util.modeler.Registry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.util.ReflectionTestUtils;

/** Tomcat with one thread: what comes while that is busy waits in the queue, and its budget runs meanwhile. */
class QueueStampTests {

    private static final long WAIT_MILLIS = 200;

    private static ConfigurableApplicationContext context;

    private final StampPages pages = context.getBean(StampPages.class);

    private final ArrivalQueue queue = context.getBean(ArrivalQueue.class);

    @BeforeAll
    static void start() {
        // A Tomcat that ran before in this process has switched these beans off for good.
        ReflectionTestUtils.setField(Registry.class, "registry", null);
        context = StampApplication.start(
                additions -> {},
                "deadline.budget=10s",
                "deadline.routes[0].paths=/hurries",
                "deadline.routes[0].budget=" + WAIT_MILLIS / 2 + "ms",
                "deadline.exclude-paths=/holds",
                "server.http2.enabled=true",
                "server.tomcat.mbeanregistry.enabled=true",
                "server.tomcat.threads.max=1",
                "server.tomcat.threads.min-spare=1");
    }

    @AfterAll
    static void stop() {
        context.close();
        ReflectionTestUtils.setField(Registry.class, "registry", null);
    }

    @BeforeEach
    void forget() {
        this.pages.release = new CountDownLatch(1);
        this.pages.holding.set(0);
        this.pages.served.set(0);
    }

    /** C64. */
    @Test
    void refusesWhatWaitedLongerThanItsBudgetWithoutRunningItsHandler() throws Exception {
        RawAnswer answer = afterWaiting("/hurries");

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.header("X-Degraded")).startsWith("request=budget_exhausted;");
        assertThat(answer.header("Retry-After")).isNotEmpty();
        assertThat(this.pages.served).hasValue(0);
        assertThat(context.getBean(MeterRegistry.class)
                        .get("deadline.request")
                        .tags("outcome", "refused")
                        .timer()
                        .count())
                .isOne();
    }

    @Test
    void startsTheBudgetInTheQueue() throws Exception {
        long before = System.currentTimeMillis();
        RawAnswer answer = afterWaiting("/tells");
        long after = System.currentTimeMillis();

        String[] told = answer.body().split(",");
        long waited = Long.parseLong(told[0]);
        assertThat(waited).isGreaterThanOrEqualTo(WAIT_MILLIS);
        assertThat(Long.parseLong(told[1])).isBetween(before, after - WAIT_MILLIS);
        assertThat(Long.parseLong(told[2])).isBetween(0L, 10_000 - waited);
    }

    private RawAnswer afterWaiting(String path) throws IOException {
        try (RawConnection busy = connect();
                RawConnection waiting = connect()) {
            busy.send(get("/holds"));
            await().until(() -> this.pages.holding.get() == 1);
            // Connections that other tests have closed may be in the queue as well.
            int before = this.queue.size();
            waiting.send(get(path));
            await().until(() -> this.queue.size() > before);
            long queued = System.nanoTime();
            await().pollInterval(Duration.ofMillis(10))
                    .until(() -> System.nanoTime() - queued > TimeUnit.MILLISECONDS.toNanos(WAIT_MILLIS + 50));
            this.pages.release.countDown();
            assertThat(busy.readAnswer().body()).isEqualTo("released");
            RawAnswer answer = waiting.readAnswer();
            await().until(() -> this.queue.size() == 0);
            return answer;
        }
    }

    @Test
    void saysUnknownOfTheNextRequestOfAConnectionThatWasNotInTheQueue() throws Exception {
        assertThat(secondBehind("/tells")).isEqualTo("unknown");
    }

    @Test
    void dropsAStampThatNobodyTook() throws Exception {
        assertThat(secondBehind("/outermost")).isEqualTo("unknown");
    }

    @Test
    void takesNoStampForAnAsynchronousDispatchAndLeavesNoneBehind() throws Exception {
        assertThat(secondBehind("/defers")).isEqualTo("unknown");
    }

    private static String secondBehind(String path) throws IOException {
        try (RawConnection connection = connect()) {
            connection.send(get(path) + get("/tells"));
            assertThat(connection.readAnswer().body()).doesNotStartWith("unknown");
            return connection.readAnswer().body().split(",")[0];
        }
    }

    @Test
    void stampsEachRequestOfAKeptConnectionThatComesLater() throws Exception {
        try (RawConnection connection = connect()) {
            for (int i = 0; i < 3; i++) {
                connection.send(get("/tells"));
                assertThat(connection.readAnswer().status()).isEqualTo(200);
                // Until the thread has left the connection, it may find the next request by itself.
                await().pollInterval(Duration.ofMillis(5)).until(() -> StampPages.isIdle(this.pages.thread));
            }
            connection.send(get("/tells"));
            assertThat(connection.readAnswer().body()).doesNotStartWith("unknown");
        }
    }

    @Test
    void stampsRequestsOverHttp2() throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://localhost:" + StampApplication.port(context) + "/tells"))
                .timeout(Duration.ofSeconds(10))
                .build();
        for (int i = 0; i < 2; i++) {
            HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
            assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(answer.body()).doesNotStartWith("unknown");
        }
    }

    @Test
    void keepsTheMetricsOfTheThreads() {
        MeterRegistry registry = context.getBean(MeterRegistry.class);

        assertThat(registry.get("tomcat.threads.config.max").gauge().value()).isEqualTo(1);
        assertThat(registry.get("tomcat.threads.current").gauge().value()).isEqualTo(1);
        assertThat(registry.get("tomcat.threads.busy").gauge().value()).isBetween(0.0, 1.0);
    }

    private static RawConnection connect() throws IOException {
        return new RawConnection(StampApplication.port(context));
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }
}
