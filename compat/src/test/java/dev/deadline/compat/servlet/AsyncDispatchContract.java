package dev.deadline.compat.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deadline.DeadlineListener.RequestEvent;
import dev.deadline.Outcome;
import dev.deadline.Reason;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
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

/** C42: asynchronous controllers have the deadline of their request. Run on each container. */
@TestInstance(Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
abstract class AsyncDispatchContract {

    private final Server server;

    private RunningApplication app;

    private final String threads;

    AsyncDispatchContract(Server server) {
        this(server, "spring.threads.virtual.enabled=false");
    }

    AsyncDispatchContract(Server server, String threads) {
        this.server = server;
        this.threads = threads;
    }

    @BeforeAll
    void start() {
        this.app = this.server.start(
                "deadline.budget=300ms",
                "deadline.routes[0].paths=/async/upload",
                "deadline.routes[0].budget=20s",
                this.threads);
    }

    @AfterAll
    void stop() {
        this.app.close();
    }

    @BeforeEach
    void forget() {
        this.app.forgetEvents();
    }

    private RequestEvent onlyEvent() {
        List<RequestEvent> events = this.app.events();
        assertThat(events).hasSize(1);
        return events.get(0);
    }

    @Test
    void runsACallableUnderTheDeadlineOfItsRequest() {
        HttpResponse<String> response = this.app.get("/async/callable");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).contains("\"bounded\":true").containsPattern("\"remaining\":[12]?\\d?\\d[,}]");
        assertThat(onlyEvent().outcome()).isEqualTo(Outcome.OK);
    }

    @Test
    void marksWhatDegradedOnAnotherThread() {
        HttpResponse<String> response = this.app.get("/async/callable/degraded");

        assertThat(response.body()).isEqualTo("default");
        assertThat(response.headers().firstValue("X-Degraded").orElseThrow())
                .matches("async-flags=upstream_timeout;\\d+");
        assertThat(response.headers().allValues("Cache-Control")).containsExactly("no-store");
        assertThat(onlyEvent().outcome()).isEqualTo(Outcome.DEGRADED);
    }

    @Test
    void deliversADeferredResult() {
        assertThat(this.app.get("/async/deferred").body()).isEqualTo("deferred");
        assertThat(onlyEvent().outcome()).isEqualTo(Outcome.OK);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/async/callable/late",
                "/async/deferred/late",
                "/async/stage/late",
                "/async/mono/late",
                "/async/stream/late",
                "/async/context/late",
                "/async/context/completes-late"
            })
    void refusesAtTheBudgetAndNotAtTheTimeoutOfTheContainer(String path) {
        long start = System.nanoTime();

        HttpResponse<String> response = this.app.get(path, "Accept", "application/json");

        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)).isBetween(300L, 3000L);
        BudgetContract.assertRefused(response);
        assertThat(onlyEvent().outcome()).isEqualTo(Outcome.FAILED);
    }

    /** C44: the deadline of a stream is met with its first byte. */
    @Test
    void letsAStreamGoOnWhoseFirstByteIsOut(CapturedOutput output) {
        HttpResponse<String> response = this.app.get("/async/stream");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).hasSize(100_004).endsWith("xtail");
        assertThat(response.headers().map()).doesNotContainKey("x-degraded");
        assertThat(onlyEvent().outcome()).isEqualTo(Outcome.OK);
        assertThat(output).doesNotContain("Exception");
    }

    /** C44 */
    @Test
    void letsServerSentEventsGoOn(CapturedOutput output) {
        HttpResponse<String> response = this.app.get("/async/events");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).contains("data:first", "data:second");
        assertThat(onlyEvent().outcome()).isEqualTo(Outcome.OK);
        assertThat(output).doesNotContain("Exception");
    }

    /** C45: what the client does while another thread reads its body has no second run of the controller for a result. */
    @Test
    void runsAControllerOnceWhoseClientGoesWhileItsBodyIsReadElsewhere() throws Exception {
        AsyncPages pages = this.app.bean(AsyncPages.class);
        try {
            try (RawConnection connection = new RawConnection(this.app.port())) {
                connection.send("POST /async/upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf");
                await().until(() -> pages.uploads.get() == 1 && this.app.isIdle());
            }
            await().until(() -> pages.uploads.get() > 1 || this.app.inFlight() == 0);
        } finally {
            pages.uploadsOver.countDown();
        }

        assertThat(pages.uploads).hasValue(1);
        assertThat(onlyEvent().outcome()).isEqualTo(Outcome.ABORTED);
        assertThat(onlyEvent().reason()).isEqualTo(Reason.CLIENT_ABORT);
    }

    /** C46: whoever comes back when its request has been answered writes into nobody else's response. */
    @Test
    void letsALateCallableWriteNowhere(CapturedOutput output) {
        for (int i = 0; i < 3; i++) {
            assertThat(this.app.get("/async/callable/late").statusCode()).isEqualTo(503);
            assertThat(this.app.get("/async/stream/late").statusCode()).isEqualTo(503);
            assertThat(this.app.get("/healthy").body()).isEqualTo("fine");
        }
        assertThat(this.app.events()).hasSize(9);
        assertThat(output).doesNotContain("IllegalStateException");
    }
}
