package dev.deadline.sample.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.deadline.sample.Stats;
import dev.deadline.sample.Stats.Counts;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FaultServerTests {

    private final FaultServer server = new FaultServer(0);

    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        this.server.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/flags                        | {\"new-checkout\":true,\"dark-mode\":false}",
                "/flags?behaviour=slow:30      | {\"new-checkout\":true,\"dark-mode\":false}",
                "/revocation                   | {\"revoked\":false}",
                "/revocation?behaviour=revoked | {\"revoked\":true}",
                "/geo?user=ada                 | {\"country\":\"NO\",\"city\":\"Bergen\"}",
            })
    void answers(String path, String body) throws Exception {
        HttpResponse<String> response = get(path);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo(body);
    }

    @Test
    void answersWithAnError() throws Exception {
        assertThat(get("/catalog?behaviour=error").statusCode()).isEqualTo(500);
        awaitCounts("catalog", new Counts(1, 1, 0, 0));
    }

    @Test
    void closesTheConnectionWhenItRefuses() {
        assertThatThrownBy(() -> get("/catalog?behaviour=refuse")).isInstanceOf(IOException.class);
        assertThat(Stats.read(this.server.port()).of("catalog").inFlight()).isZero();
    }

    @Test
    void neitherCountsNorEchoesWhatItDoesNotUnderstand() throws Exception {
        HttpResponse<String> response = get("/flags?behaviour=junk");

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).isEmpty();
        assertThat(Stats.read(this.server.port()).started()).isZero();
    }

    @Test
    void countsCompletedCalls() throws Exception {
        get("/geo");
        get("/geo");

        awaitCounts("geo", new Counts(2, 2, 0, 0));
    }

    @Test
    void noticesThatTheClientLeavesWhileItHangs() throws Exception {
        try (Socket socket = send("/flags?behaviour=hang")) {
            awaitCounts("flags", new Counts(1, 0, 0, 1));
        }
        awaitCounts("flags", new Counts(1, 0, 1, 0));
    }

    @Test
    void noticesThatTheClientLeavesBeforeASlowAnswer() throws Exception {
        try (Socket socket = send("/flags?behaviour=slow:60000")) {
            awaitCounts("flags", new Counts(1, 0, 0, 1));
        }
        awaitCounts("flags", new Counts(1, 0, 1, 0));
    }

    @Test
    void noticesThatTheClientLeavesWhileItDrips() throws Exception {
        try (Socket socket = send("/catalog?behaviour=drip")) {
            byte[] head = socket.getInputStream().readNBytes(15);
            assertThat(new String(head, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200 OK");
            assertThat(Stats.read(this.server.port()).of("catalog").inFlight()).isEqualTo(1);
        }
        awaitCounts("catalog", new Counts(1, 0, 1, 0));
    }

    private HttpResponse<String> get(String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + this.server.port() + path);
        return this.client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    private Socket send(String path) throws IOException {
        Socket socket = new Socket("127.0.0.1", this.server.port());
        String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private void awaitCounts(String upstream, Counts counts) {
        await().untilAsserted(() ->
                assertThat(Stats.read(this.server.port()).of(upstream)).isEqualTo(counts));
    }
}
