package dev.deadline.compat.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What the responses of requests say in which a step did not answer. Run on each container. */
@TestInstance(Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
abstract class DegradedResponseContract {

    private final Server server;

    private final boolean etags;

    private RunningApplication app;

    DegradedResponseContract(Server server, boolean etags) {
        this.server = server;
        this.etags = etags;
    }

    @BeforeAll
    void start() {
        // Without a budget: a degraded step marks the response all the same.
        this.app = this.etags
                ? this.server.start("deadline.response.server-timing=true", "test.etag=true")
                : this.server.start("deadline.response.server-timing=true");
    }

    @AfterAll
    void stop() {
        this.app.close();
    }

    private static void assertMarked(HttpResponse<String> response, String step) {
        assertThat(response.headers().allValues("X-Degraded")).hasSize(1);
        assertThat(response.headers().firstValue("X-Degraded").orElseThrow()).matches(step + "=upstream_timeout;\\d+");
        assertThat(response.headers().allValues("Cache-Control")).containsExactly("no-store");
        assertThat(response.headers().map()).doesNotContainKeys("etag", "last-modified", "expires");
        assertThat(response.headers().allValues("Server-Timing")).hasSize(1);
        assertThat(response.headers().firstValue("Server-Timing").orElseThrow())
                .matches(step + ";dur=\\d+\\.\\d;desc=\"upstream_timeout\"");
    }

    /** C51: controller, Spring Security and an ETag filter each have a say, and none of them is heard. */
    @ParameterizedTest
    @CsvSource({
        "/degraded/cacheable, 200",
        "/degraded/before-flush, 201",
        "/degraded/large, 200",
        "/degraded/announced, 200",
        "/degraded/reset, 200",
        "/degraded/forward, 200",
        "/degraded/forward-plain, 200",
        "/degraded/include, 200",
        "/degraded/not-found, 404",
        "/degraded/breaks, 500"
    })
    void marksADegradedResponse(String path, int status) {
        HttpResponse<String> response = this.app.get(path);

        assertThat(response.statusCode()).isEqualTo(status);
        assertMarked(response, "flags");
        assertThat(response.headers().map()).doesNotContainKey("retry-after");
    }

    /** C51 */
    @ParameterizedTest
    @ValueSource(
            strings = {"If-None-Match: \"v1\"", "If-None-Match: *", "If-Modified-Since: Tue, 03 Jun 2036 11:05:30 GMT"})
    void neverAnswersNotModifiedOnceDegraded(String condition) {
        String[] header = condition.split(": ", 2);

        HttpResponse<String> response = this.app.get("/degraded/cacheable", header);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("default");
        assertMarked(response, "flags");
    }

    @Test
    void marksARedirect() {
        HttpResponse<String> response = this.app.get("/degraded/redirect");

        assertThat(response.statusCode()).isEqualTo(302);
        assertThat(response.headers().firstValue("Location").orElseThrow()).endsWith("/healthy");
        assertMarked(response, "flags");
    }

    @Test
    void survivesAReset() {
        HttpResponse<String> response = this.app.get("/degraded/reset");

        assertThat(response.body()).isEqualTo("anew");
        assertThat(response.headers().map()).doesNotContainKey("x-custom");
    }

    @Test
    void letsAnIncludedResourceSetNoHeaders() {
        HttpResponse<String> response = this.app.get("/healthy/include");

        assertThat(response.body()).isEqualTo("fine");
        assertThat(response.headers().allValues("Cache-Control")).containsExactly("max-age=5");
        assertThat(response.headers().map()).doesNotContainKey("expires");
        assertThat(this.app.get("/degraded/include").headers().firstValue("X-Custom"))
                .contains("kept");
    }

    /** C47 */
    @Test
    void logsThatAStepDegradedTooLateForTheHeader(CapturedOutput output) {
        if (this.etags) {
            // The filter keeps everything back until the end, so it is never too late.
            return;
        }
        HttpResponse<String> response = this.app.get("/degraded/after-flush");

        assertThat(response.statusCode()).isEqualTo(201);
        assertThat(response.body()).isEqualTo("head,default");
        assertThat(response.headers().firstValue("X-Custom")).contains("kept");
        assertThat(response.headers().allValues("Cache-Control")).containsExactly("max-age=60");
        assertThat(response.headers().map()).doesNotContainKey("x-degraded");
        assertThat(output).containsPattern("WARN .*Too late for the header.*flags=upstream_timeout;\\d+");
    }

    /** C52: neither the catch-all handler nor a reset takes anything away. */
    @Test
    void refusesWhenAGateIsClosed() {
        HttpResponse<String> response =
                this.app.get("/gate/closed", "Origin", "https://shop.example", "Accept", "application/json");

        assertThat(response.statusCode()).isEqualTo(503);
        assertMarked(response, "gate-keeper");
        assertThat(response.headers().allValues("Retry-After")).containsExactly("5");
        assertThat(response.headers().allValues("Access-Control-Allow-Origin")).containsExactly("https://shop.example");
        assertThat(response.body()).contains("\"status\":503").doesNotContain("caught", "StepFailed");
    }

    @Test
    void findsAnExceptionUnderAWrapper() {
        HttpResponse<String> response = this.app.get("/gate/joined");

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.headers().firstValue("X-Degraded")).contains("elsewhere=upstream_error;0");
    }

    /** C54 */
    @Test
    void writesNoIllegalNameIntoAHeader() {
        HttpResponse<String> response = this.app.get("/gate/evil");

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.headers().map()).doesNotContainKey("x-evil");
        assertThat(response.headers().firstValue("X-Degraded")).contains("request=upstream_error;3");
    }

    @Test
    void leavesTheAnswerToAHandlerForExactlyOurException() {
        HttpResponse<String> response = this.app.get("/gate/own-handler");

        assertThat(response.statusCode()).isEqualTo(402);
        assertThat(response.body()).isEqualTo("own answer for own-gate");
        assertMarked(response, "own-gate");
        assertThat(response.headers().map()).doesNotContainKey("retry-after");
    }

    @Test
    void warnsWhenTheApplicationSwallowsAClosedGate(CapturedOutput output) {
        HttpResponse<String> response = this.app.get("/gate/swallowed");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("swallowed");
        assertMarked(response, "gate-keeper");
        assertThat(output).containsPattern("WARN .*Step 'gate-keeper' failed and was to refuse the request");
    }

    @Test
    void leavesTheApplicationsOwnFailuresAlone() {
        HttpResponse<String> response = this.app.get("/breaks");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("{\"caught\":\"IOException\"}");
        assertThat(response.headers().map()).doesNotContainKey("x-degraded");
        assertThat(List.of(response.headers().firstValue("Cache-Control").orElseThrow()))
                .containsExactly("no-cache, no-store, max-age=0, must-revalidate");
    }
}
