package dev.deadline.compat.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deadline.DeadlineListener.RequestEvent;
import dev.deadline.Outcome;
import dev.deadline.Reason;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What the clients of handlers get that nobody can stop. Run on each container. */
@TestInstance(Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
abstract class LastResortContract {

    private static final int BUDGET = 150;

    private static final int GRACE = 50;

    private final Server server;

    private final String threads;

    private RunningApplication app;

    LastResortContract(Server server) {
        this(server, "spring.threads.virtual.enabled=false");
    }

    LastResortContract(Server server, String threads) {
        this.server = server;
        this.threads = threads;
    }

    @BeforeAll
    void start() {
        this.app = this.server.start(
                "deadline.budget=" + BUDGET + "ms", "deadline.watchdog.grace=" + GRACE + "ms", this.threads);
    }

    @AfterAll
    void stop() {
        this.app.close();
    }

    @BeforeEach
    void hold() {
        this.app.forgetEvents();
        this.app.bean(RecordingListener.class).stacks.clear();
        StuckPages.hold();
    }

    private void awaitStackOf(String method) {
        List<List<String>> stacks = this.app.bean(RecordingListener.class).stacks;
        await().untilAsserted(() ->
                assertThat(stacks).anySatisfy(stack -> assertThat(stack).contains(method)));
    }

    @AfterEach
    void release() {
        StuckPages.release();
    }

    private RequestEvent onlyEvent() {
        assertThat(this.app.events()).hasSize(1);
        return this.app.events().get(0);
    }

    private static void assertAnswered(RawAnswer answer) {
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.header("X-Degraded")).matches("request=budget_exhausted;\\d+");
        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
        assertThat(answer.header("Retry-After")).isEqualTo("5");
        assertThat(answer.header("Connection")).isEqualTo("close");
        assertThat(answer.header("Content-Type")).startsWith("application/json");
        assertThat(answer.header("ETag")).isEmpty();
        assertThat(answer.header("X-Custom")).isEqualTo("kept");
        assertThat(answer.header("Set-Cookie")).startsWith("seen=1");
        assertThat(answer.header("Content-Length"))
                .isEqualTo(Integer.toString(answer.body().length()));
        assertThat(answer.body()).contains("\"status\":503").endsWith("}");
    }

    /** C46: whatever the handler does later, it is in nobody's way. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "returns",
                "writes",
                "with-a-writer",
                "with-a-stream",
                "with-async",
                "floods",
                "throws",
                "errs",
                "redirects",
                "resets",
                "decorates",
                "forwards"
            })
    void answersWhileTheHandlerGoesOn(String then, CapturedOutput output) throws Exception {
        try (RawConnection connection = new RawConnection(this.app.port())) {
            long start = System.nanoTime();
            connection.send("GET /stuck/" + then + " HTTP/1.1\r\nHost: localhost\r\n\r\n");

            assertAnswered(connection.readAnswer());

            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)).isBetween(150L, 5_000L);
            assertThat(StuckPages.spinning).hasValue(1);
            StuckPages.release();
            assertThat(connection.readToEnd()).isEmpty();
        }
        RequestEvent event = onlyEvent();
        assertThat(event.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(event.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED);
        assertThat(this.app.get("/healthy").body()).isEqualTo("fine");
        assertThat(output).doesNotContain("Exception");
    }

    @Test
    void leavesAResponseAloneWhoseHeadIsOut() throws Exception {
        try (RawConnection connection = new RawConnection(this.app.port())) {
            connection.send("GET /stuck-after-head HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            await().until(() -> StuckPages.spinning.get() == 1);
            long start = System.nanoTime();
            await().until(() -> System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(BUDGET + 3 * GRACE));
            StuckPages.release();

            RawAnswer answer = connection.readAnswer();

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("head,tail");
        }
    }

    /** C48: what is left of an upload is not waited for either. */
    @Test
    void endsTheConnectionOfAnUploadThatNobodyReads() throws Exception {
        try (RawConnection connection = new RawConnection(this.app.port())) {
            connection.send("POST /stuck-upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nx");

            assertThat(connection.readAnswer().status()).isEqualTo(503);

            StuckPages.release();
            assertThat(connection.readToEnd()).isEmpty();
        }
        assertThat(onlyEvent().reason()).isEqualTo(Reason.BUDGET_EXHAUSTED);
    }

    @Test
    void measuresHowLongTheHandlerWentOn() throws Exception {
        MeterRegistry registry = this.app.bean(MeterRegistry.class);
        Timer overruns = registry.timer("deadline.overrun", "step", "request");
        long before = overruns.count();
        double endlessBefore =
                registry.counter("deadline.overrun.endless", "step", "request").count();

        try (RawConnection connection = new RawConnection(this.app.port())) {
            connection.send("GET /stuck/returns HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertAnswered(connection.readAnswer());
            await().untilAsserted(() -> assertThat(registry.counter("deadline.overrun.endless", "step", "request")
                            .count())
                    .isGreaterThan(endlessBefore));
            StuckPages.release();
        }

        this.app.events();
        assertThat(overruns.count()).isGreaterThan(before);
        assertThat(overruns.max(TimeUnit.MILLISECONDS)).isGreaterThan(10 * GRACE);
        awaitStackOf("spin");
    }

    @ParameterizedTest
    @ValueSource(strings = {"callable", "stream", "executor"})
    void measuresHowLongWorkOnAnotherThreadGoesOn(String where) {
        Timer overruns = this.app.bean(MeterRegistry.class).timer("deadline.overrun", "step", "request");
        double before = overruns.totalTime(TimeUnit.MILLISECONDS);

        assertThat(this.app.get("/stuck-elsewhere/" + where).statusCode()).isEqualTo(503);

        awaitStackOf("spin");
        StuckPages.release();
        await().untilAsserted(() ->
                assertThat(overruns.totalTime(TimeUnit.MILLISECONDS) - before).isGreaterThan(10 * GRACE));
    }

    /** C46: exactly one of handler and watchdog answers, and each client gets its own. */
    @Test
    void givesNobodyTheAnswerOfAnother() {
        String[] wrong = IntStream.range(0, 24)
                .parallel()
                .mapToObj(id -> {
                    HttpResponse<String> response =
                            this.app.get("/busy/" + id + "?millis=" + (BUDGET + GRACE - 20 + id % 40));
                    boolean own = response.statusCode() == 200
                            && response.body().equals("busy " + id)
                            && response.headers().allValues("X-Id").contains("" + id);
                    // Not there if the time went by before the handler was reached, as in the queue for a thread.
                    boolean refused = response.statusCode() == 503
                            && response.body().contains("\"status\":503")
                            && response.headers().allValues("X-Id").stream().allMatch(value -> value.equals("" + id));
                    return own || refused ? "" : id + " got " + response + " " + response.body();
                })
                .filter(text -> !text.isEmpty())
                .toArray(String[]::new);

        assertThat(wrong).isEmpty();
        assertThat(this.app.events()).hasSize(24);
    }
}
