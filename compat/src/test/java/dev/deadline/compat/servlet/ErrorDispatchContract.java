package dev.deadline.compat.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C42: the error page has what is left of its request, and never a budget of its own. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class ErrorDispatchContract {

    private final Server server;

    private RunningApplication app;

    ErrorDispatchContract(Server server) {
        this.server = server;
    }

    @BeforeAll
    void start() {
        this.app = this.server.start(
                "deadline.budget=400ms", "deadline.routes[0].paths=/degraded/**", "deadline.routes[0].budget=20s");
    }

    @AfterAll
    void stop() {
        this.app.close();
    }

    /** C35: the error page can block although its request was cut. */
    @ParameterizedTest
    @ValueSource(strings = {"/late/returns", "/late/throws/whatever", "/async/deferred/late", "/async/callable/late"})
    void shieldsTheErrorPageOfARequestWhoseTimeIsUp(String path) {
        HttpResponse<String> response = this.app.get(path, "X-Error-Page", "1");

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body())
                .contains("\"bounded\":true", "\"expired\":true", "\"remaining\":0")
                .contains("\"interrupted\":false", "\"blocked\":true", "\"called\":false");
        assertThat(response.headers().firstValue("X-Degraded").orElseThrow()).startsWith("request=budget_exhausted;");
        assertThat(response.headers().allValues("Cache-Control")).containsExactly("no-store");
        assertThat(response.headers().allValues("Retry-After")).containsExactly("5");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/degraded/not-found", "/degraded/breaks"})
    void boundsTheErrorPageByWhatIsLeft(String path) {
        HttpResponse<String> response = this.app.get(path, "X-Error-Page", "1");

        assertThat(response.statusCode()).isIn(404, 500);
        assertThat(response.body()).contains("\"bounded\":true", "\"expired\":false");
        assertThat(Long.parseLong(response.body().replaceAll(".*\"remaining\":(\\d+).*", "$1")))
                .isLessThan(19_965);
        assertThat(response.headers().firstValue("X-Degraded").orElseThrow()).matches("flags=upstream_timeout;\\d+");
        assertThat(response.headers().allValues("Cache-Control")).containsExactly("no-store");
    }

    @Test
    void countsTheRequestOnce() {
        this.app.forgetEvents();

        this.app.get("/late/returns");
        this.app.get("/degraded/not-found");

        assertThat(this.app.events()).hasSize(2);
    }
}
