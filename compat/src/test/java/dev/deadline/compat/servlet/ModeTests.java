package dev.deadline.compat.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.Outcome;
import dev.deadline.Reason;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class ModeTests {

    @Test
    void changesNothingWhileObserving() {
        try (RunningApplication app =
                Server.TOMCAT.start("deadline.budget=1ms", "deadline.answer-margin=0ms", "deadline.mode=observe")) {
            HttpResponse<String> response = app.get("/healthy", TestApplication.CALLERS_HEADER, "0");

            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("fine");
            assertThat(response.headers().map()).doesNotContainKey("x-degraded");
            assertThat(response.headers().allValues("ETag")).containsExactly("\"v1\"");
            assertThat(app.events()).singleElement().satisfies(event -> {
                assertThat(event.outcome()).isEqualTo(Outcome.FAILED);
                assertThat(event.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED);
                assertThat(event.enforced()).isFalse();
            });
        }
    }

    @Test
    void doesNothingWhenOff() {
        try (RunningApplication app =
                Server.TOMCAT.start("deadline.budget=1ms", "deadline.answer-margin=0ms", "deadline.mode=off")) {
            assertThat(app.get("/healthy").statusCode()).isEqualTo(200);
            assertThat(app.get("/seen").body()).contains("\"bounded\":false");
            assertThat(app.events()).isEmpty();
        }
    }

    @Test
    void saysOnceHowToSetABudget(CapturedOutput output) {
        try (RunningApplication app = Server.TOMCAT.start()) {
            assertThat(app.get("/seen").body()).contains("\"bounded\":false");
            assertThat(output.getOut().split("Set deadline.budget to give each request one", -1))
                    .hasSize(2);
        }
    }

    @Test
    void answersWithProblemDetailsWhereTheApplicationDoes() {
        try (RunningApplication app =
                Server.TOMCAT.start("deadline.budget=100ms", "spring.mvc.problemdetails.enabled=true")) {
            HttpResponse<String> response = app.get("/late/decorated");

            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(response.headers().firstValue("Content-Type").orElseThrow())
                    .startsWith("application/problem+json");
            assertThat(response.body())
                    .isEqualTo("{\"type\":\"about:blank\",\"title\":\"Service Unavailable\",\"status\":503}");
            assertThat(response.headers().firstValue("X-Degraded").orElseThrow())
                    .startsWith("request=budget_exhausted;");
            assertThat(response.headers().allValues("Cache-Control")).containsExactly("no-store");
        }
    }

    /** C35: an interrupt that the handler keeps set costs neither the answer nor the next request. */
    @Test
    void interruptsAHandlerAnywhereIfToldTo() {
        try (RunningApplication app = Server.TOMCAT.start(
                "deadline.budget=150ms", "deadline.interrupt=anywhere", "server.tomcat.threads.max=1")) {
            for (int i = 0; i < 3; i++) {
                HttpResponse<String> response = app.get("/blocks", "Accept", "application/json");

                BudgetContract.assertRefused(response);
                assertThat(app.get("/seen").body()).contains("\"interrupted\":false");
            }
        }
    }

    @Test
    void usesTheStatusHeaderAndDelayThatAreConfigured() {
        try (RunningApplication app = Server.TOMCAT.start(
                "deadline.budget=100ms",
                "deadline.response.status=504",
                "deadline.response.header=X-Late",
                "deadline.response.retry-after=200ms")) {
            HttpResponse<String> response = app.get("/late/returns");

            assertThat(response.statusCode()).isEqualTo(504);
            assertThat(response.headers().firstValue("X-Late").orElseThrow()).startsWith("request=budget_exhausted;");
            // C55: rounded up, never 0.
            assertThat(response.headers().firstValue("Retry-After")).contains("1");
        }
    }
}
