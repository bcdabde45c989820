package dev.deadline.compat.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.DeadlineListener.RequestEvent;
import dev.deadline.Outcome;
import dev.deadline.compat.webclient.Repeated;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that are still being sent when the time of their request is up. Run on each container. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class StreamContract {

    private final Server server;

    private RunningApplication app;

    private final String http2;

    StreamContract(Server server, boolean http2) {
        this.server = server;
        this.http2 = "server.http2.enabled=" + http2;
    }

    @BeforeAll
    void start() {
        // One thread for hooks, so that one that waits keeps all others from their work.
        this.app = this.server.start("deadline.budget=400ms", "deadline.watchdog.hook-threads=1", this.http2);
    }

    @AfterAll
    void stop() {
        this.app.close();
    }

    @BeforeEach
    void forget() {
        this.app.forgetEvents();
    }

    RunningApplication app() {
        return this.app;
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }

    /** C48: whoever takes an asynchronous answer slowly keeps the deadlines of nobody else waiting. */
    @Test
    void endsTheTimeOfOthersWhileAClientIsSlowToTakeItsAnswer() throws Exception {
        try (RawConnection slow = Repeated.until(connection -> connection != null, this::slowClient)) {
            long start = System.nanoTime();

            BudgetContract.assertRefused(this.app.get("/async/deferred/late", "Accept", "application/json"));

            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)).isBetween(400L, 5_000L);
        }
    }

    // One that has the head of its answer and then takes nothing; null if its time was up before that.
    private RawConnection slowClient() throws Exception {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4_000);
        socket.connect(new InetSocketAddress("localhost", this.app.port()), 5_000);
        RawConnection connection = new RawConnection(socket);
        connection.send(get("/stream/large"));
        String head = new String(socket.getInputStream().readNBytes(12));
        if (head.equals("HTTP/1.1 200")) {
            return connection;
        }
        connection.close();
        return null;
    }

    /** C44: the client can tell that there was to be more. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/stream/rows",
                "/stream/rows-with-a-length",
                "/stream/rows-wrapping-the-failure",
                "/stream/rows-behind-a-gate",
                "/stream/rows-elsewhere"
            })
    void abortsAnAnswerThatIsCutShort(String path) throws Exception {
        String answer = Repeated.until(text -> text.startsWith("HTTP/1.1 200"), () -> {
            this.app.forgetEvents();
            try (RawConnection connection = new RawConnection(this.app.port())) {
                connection.socket().setSoTimeout(5_000);
                connection.send(get(path));
                // Comes back when the connection is closed only.
                return connection.readToEnd();
            }
        });

        assertThat(answer).contains("row").doesNotEndWith("\r\n0\r\n\r\n").doesNotContain("caught");
        List<RequestEvent> events = this.app.events();
        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.outcome()).isEqualTo(Outcome.FAILED);
            assertThat(event.reason()).isNotNull();
        });
        assertThat(this.app.get("/healthy").body()).isEqualTo("fine");
    }
}
