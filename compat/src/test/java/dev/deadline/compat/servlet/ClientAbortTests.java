package dev.deadline.compat.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deadline.DeadlineListener.RequestEvent;
import dev.deadline.DeadlineListener.StepEvent;
import dev.deadline.Outcome;
import dev.deadline.Reason;
import dev.deadline.compat.webclient.FaultServer;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** C45: clients that go away while their request is worked on, where the container lets that be noticed. */
@TestInstance(Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
class ClientAbortTests {

    private static final String GET = " HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private RunningApplication app;

    @BeforeAll
    void start() {
        this.app = Server.TOMCAT.start("deadline.budget=20s", "server.http2.enabled=true");
    }

    @AfterAll
    void stop() {
        this.app.close();
    }

    @BeforeEach
    void forget() {
        this.app.forgetEvents();
    }

    private static void assertAborted(RunningApplication app, CapturedOutput output) {
        List<RequestEvent> events = app.events();
        assertThat(events).hasSize(1);
        assertThat(events.get(0).outcome()).isEqualTo(Outcome.ABORTED);
        assertThat(events.get(0).reason()).isEqualTo(Reason.CLIENT_ABORT);
        assertThat(output).doesNotContain("Exception", "\"event\":\"deadline.timeout\"");
    }

    private void awaitStepUnderWay() {
        await().until(() -> this.app.inFlight() == 1);
    }

    @Test
    void cutsTheUpstreamCallOfAClientThatHasGone(CapturedOutput output) throws Exception {
        // One of its own, as an application that stops takes Netty's threads away from the others.
        try (RunningApplication calling = Server.TOMCAT.start("deadline.budget=20s");
                FaultServer upstream = new FaultServer()) {
            try (RawConnection connection = new RawConnection(calling.port())) {
                connection.send("GET /client/upstream?url=" + upstream.url("/silent") + GET);
                await().until(() -> !upstream.requests().isEmpty());
            }
            upstream.awaitAllClosed();
            assertAborted(calling, output);
            List<StepEvent> steps = calling.bean(RecordingListener.class).steps;
            assertThat(steps).hasSize(1);
            assertThat(steps.get(0).outcome()).isEqualTo(Outcome.ABORTED);
            assertThat(steps.get(0).reason()).isEqualTo(Reason.CLIENT_ABORT);
        }
    }

    @Test
    void noticesAClientThatHasSentItsWholeBody(CapturedOutput output) throws Exception {
        try (RawConnection connection = new RawConnection(this.app.port())) {
            connection.send("POST /client/posted HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
                    + "Content-Length: 4\r\n\r\nbody");
            awaitStepUnderWay();
        }
        assertAborted(this.app, output);
    }

    /** What comes by another connector, and cannot be looked at, says nothing about the others. */
    @Test
    void noticesAClientThoughAnotherOneCameByAjp(CapturedOutput output) throws Exception {
        try (AjpConnection other = new AjpConnection(this.app.ajpPort())) {
            assertThat(other.get("/client/waits/1", "millis=600")).contains("waited 1");
        }
        forget();
        try (RawConnection connection = new RawConnection(this.app.port())) {
            connection.send("GET /client/waits/2?millis=10000" + GET);
            awaitStepUnderWay();
        }
        assertAborted(this.app, output);
    }

    @Test
    void noticesAndKeepsClientsOverTls(@TempDir Path directory) throws Exception {
        SelfSigned certificate = SelfSigned.in(directory);
        try (RunningApplication secure = Server.TOMCAT.start(certificate.properties())) {
            try (RawConnection connection = new RawConnection(certificate.connect(secure.port()))) {
                connection.send("GET /client/waits/1?millis=600" + GET + "GET /client/waits/2?millis=400" + GET);
                assertThat(connection.readAnswer().body()).isEqualTo("waited 1");
                assertThat(connection.readAnswer().body()).isEqualTo("waited 2");
                connection.send("GET /client/waits/3?millis=10000" + GET);
                await().until(() -> secure.inFlight() == 1);
            }
            assertThat(secure.events())
                    .extracting(RequestEvent::outcome)
                    .containsExactly(Outcome.OK, Outcome.OK, Outcome.ABORTED);
        }
    }

    @Test
    void noticesAClientThatResetsItsStream(CapturedOutput output) throws Exception {
        this.app.http2().send(this.app.request("GET", "/healthy"), BodyHandlers.ofString());
        this.app.forgetEvents();
        CompletableFuture<HttpResponse<String>> response = this.app
                .http2()
                .sendAsync(this.app.request("GET", "/client/waits/1?millis=10000"), BodyHandlers.ofString());
        awaitStepUnderWay();

        response.cancel(true);

        assertAborted(this.app, output);
    }

    /** A request that was sent in advance is not lost, and its bytes are not taken for a client that has gone. */
    @Test
    void takesNoClientForGoneThatSendsItsNextRequest() {
        int requests = Integer.getInteger("clientabort.requests", 3);
        List<String> wrong = IntStream.range(0, Integer.getInteger("clientabort.connections", 24))
                .mapToObj(
                        id -> CompletableFuture.supplyAsync(() -> talk(id, requests), task -> new Thread(task).start()))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .filter(text -> !text.isEmpty())
                .toList();

        assertThat(wrong).isEmpty();
        assertThat(this.app.events()).allMatch(event -> event.outcome() == Outcome.OK);
    }

    private String talk(int id, int requests) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        try (RawConnection connection = new RawConnection(this.app.port())) {
            String ahead = "";
            for (int i = 0; i < requests; i++) {
                String name = id + "-" + i;
                String request = request(name, random);
                connection.send(request.substring(ahead.length()));
                String next = request(id + "-" + (i + 1), random);
                ahead = "";
                if (i + 1 < requests && random.nextBoolean()) {
                    // At any moment, and as much of it as comes.
                    parkMillis(random.nextInt(600));
                    ahead = next.substring(0, random.nextInt(next.length()));
                    connection.send(ahead);
                }
                RawAnswer answer = connection.readAnswer();
                if (answer.status() != 200 || !answer.body().endsWith(" " + name)) {
                    return name + " got " + answer;
                }
                if (!ahead.isEmpty()) {
                    connection.send(next.substring(ahead.length()));
                    RawAnswer following = connection.readAnswer();
                    i++;
                    if (following.status() != 200 || !following.body().endsWith(" " + id + "-" + i)) {
                        return id + "-" + i + " got " + following;
                    }
                    ahead = "";
                }
            }
            return "";
        } catch (Exception ex) {
            return id + " failed: " + ex;
        }
    }

    private static String request(String name, ThreadLocalRandom random) {
        return (random.nextInt(3) > 0)
                ? "GET /client/waits/" + name + "?millis=" + (280 + random.nextInt(300)) + GET
                : "POST /client/echoed?millis=300 HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: "
                        + name.length() + "\r\n\r\n" + name;
    }

    private static void parkMillis(long millis) throws InterruptedException {
        new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
    }

    /** The next request has then passed through the buffer together with the body, and is still in it. */
    @ParameterizedTest
    @ValueSource(
            strings = {"Content-Length: 4\r\n\r\nbody", "Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n"})
    void losesNothingThatCameWithTheEndOfABody(String rest) throws Exception {
        try (RawConnection connection = new RawConnection(this.app.port())) {
            connection.send("POST /client/echoed?millis=600 HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
                    + rest + "GET /client/waits/next?millis=0" + GET);
            assertThat(connection.readAnswer().body()).isEqualTo("waited body");
            assertThat(connection.readAnswer().body()).isEqualTo("waited next");
        }
        assertThat(this.app.events()).allMatch(event -> event.outcome() == Outcome.OK);
    }

    /** Such a client looks like one that has gone, so there is a setting. */
    @Test
    void waitsForNobodyButMayBeToldTo(CapturedOutput output) throws Exception {
        try (RunningApplication other = Server.TOMCAT.start("deadline.client-abort.detect=false");
                RawConnection connection = new RawConnection(other.port())) {
            connection.send("GET /client/waits/1?millis=700" + GET);
            connection.socket().shutdownOutput();

            assertThat(connection.readAnswer().body()).isEqualTo("waited 1");
        }
    }

    @Test
    void doesWithoutWhereTheContainerDoesNotTell(CapturedOutput output) throws Exception {
        try (RunningApplication other = Server.JETTY.start("deadline.budget=20s")) {
            for (int i = 0; i < 2; i++) {
                try (RawConnection connection = new RawConnection(other.port())) {
                    connection.send("GET /client/waits/1?millis=600" + GET);
                    assertThat(connection.readAnswer().body()).isEqualTo("waited 1");
                }
            }
        }
        assertThat(output).containsOnlyOnce("A client that goes away is not noticed until something is written");
    }

    /** C45: on every container a client is missed at the latest when it does not take what is written. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "TOMCAT /client/download",
                "JETTY /client/download",
                "TOMCAT /client/stream",
                "JETTY /client/stream"
            })
    void noticesAClientThatTakesNoMore(String where, CapturedOutput output) throws Exception {
        String[] parts = where.split(" ");
        boolean here = parts[0].equals("TOMCAT");
        RunningApplication serving = here ? this.app : Server.JETTY.start("deadline.budget=20s");
        try {
            try (RawConnection connection = new RawConnection(serving.port())) {
                connection.send("GET " + parts[1] + GET);
                InputStream in = connection.socket().getInputStream();
                in.readNBytes(100_000);
                // Tomcat never ends an asynchronous request whose client goes before its first thread does, also
                // without this library.
                while (parts[1].equals("/client/stream") && !serving.isIdle()) {
                    in.readNBytes(10_000);
                }
            }
            List<RequestEvent> events = serving.events();
            assertThat(events).hasSize(1);
            assertThat(events.get(0).outcome()).isEqualTo(Outcome.ABORTED);
            assertThat(events.get(0).reason()).isEqualTo(Reason.CLIENT_ABORT);
            assertThat(output).doesNotContain("\"event\":\"deadline.timeout\"", " ERROR ");
        } finally {
            if (!here) {
                serving.close();
            }
        }
    }
}
