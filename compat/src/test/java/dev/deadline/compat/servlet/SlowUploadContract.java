package dev.deadline.compat.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.DeadlineListener.RequestEvent;
import dev.deadline.Outcome;
import dev.deadline.Reason;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** C48: uploads that come in slowly are waited for no longer than the budget lasts. Run on each container. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class SlowUploadContract {

    private static final String PART = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\n";

    private final Server server;

    private final String threads;

    private RunningApplication app;

    SlowUploadContract(Server server) {
        this(server, "spring.threads.virtual.enabled=false");
    }

    SlowUploadContract(Server server, String threads) {
        this.server = server;
        this.threads = threads;
    }

    @BeforeAll
    void start() {
        this.app = this.server.start("deadline.budget=250ms", "deadline.watchdog.grace=150ms", this.threads);
    }

    @AfterAll
    void stop() {
        this.app.close();
    }

    @BeforeEach
    void forget() {
        this.app.forgetEvents();
    }

    @ParameterizedTest
    @CsvSource({
        "/client/stream-in, application/octet-stream, x",
        "/client/reader, text/plain, x",
        "/client/json, application/json, '{\"a\":\"'",
        "/client/form, application/x-www-form-urlencoded, a=",
        "/client/parts, multipart/form-data; boundary=b, part"
    })
    void refusesAnUploadThatTrickles(String path, String type, String begin) throws Exception {
        try (RawConnection connection = new RawConnection(this.app.port())) {
            connection.send(
                    "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nContent-Type: " + type
                            + "\r\nContent-Length: 1000\r\n\r\n" + (begin.equals("part") ? PART : begin));
            CountDownLatch answered = new CountDownLatch(1);
            Thread trickle = new Thread(() -> trickle(connection, answered));
            trickle.start();

            RawAnswer answer = connection.readAnswer();

            answered.countDown();
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.header("X-Degraded")).matches("request=budget_exhausted;\\d+");
            assertThat(connection.readToEnd()).isEmpty();
            trickle.join();
        }
        List<RequestEvent> events = this.app.events();
        assertThat(events).hasSize(1);
        assertThat(events.get(0).outcome()).isEqualTo(Outcome.FAILED);
        assertThat(events.get(0).reason()).isEqualTo(Reason.BUDGET_EXHAUSTED);
        assertThat(this.app.get("/healthy").body()).isEqualTo("fine");
    }

    private static void trickle(RawConnection connection, CountDownLatch answered) {
        try {
            while (!answered.await(20, TimeUnit.MILLISECONDS)) {
                connection.send("x");
            }
        } catch (IOException | InterruptedException ex) {
            // The server has had enough.
        }
    }

    @Test
    void readsWhatComesInTime() throws Exception {
        try (RawConnection connection = new RawConnection(this.app.port())) {
            for (int i = 0; i < 3; i++) {
                connection.send("POST /client/stream-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 12\r\n\r\n"
                        + "12345678901");
                connection.send("2");
                assertThat(connection.readAnswer().body()).isEqualTo("read 12");
                connection.send("POST /client/form HTTP/1.1\r\nHost: localhost\r\nContent-Length: 7\r\n"
                        + "Content-Type: application/x-www-form-urlencoded\r\n\r\na=1&b=2");
                assertThat(connection.readAnswer().body()).isEqualTo("read 1[1]");
                connection.send("POST /client/stream-in HTTP/1.1\r\nHost: localhost\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
                assertThat(connection.readAnswer().body()).isEqualTo("read 3");
            }
        }
    }
}
