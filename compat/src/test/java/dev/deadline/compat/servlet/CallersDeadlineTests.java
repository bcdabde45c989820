package dev.deadline.compat.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.DeadlineListener.RequestEvent;
import dev.deadline.Outcome;
import dev.deadline.Reason;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C72: what callers say of the time they have left. */
class CallersDeadlineTests {

    private static long remaining(HttpResponse<String> response) {
        assertThat(response.statusCode()).isEqualTo(200);
        return Long.parseLong(response.body().replaceAll(".*\"remaining\":(-?\\d+).*", "$1"));
    }

    private static long spendable(HttpResponse<String> response) {
        return Long.parseLong(response.body().replaceAll(".*\"spendable\":(-?\\d+).*", "$1"));
    }

    @Nested
    @TestInstance(Lifecycle.PER_CLASS)
    class TrustedTests {

        private RunningApplication app;

        private RecordingListener listener;

        @BeforeAll
        void start() {
            // The caller is trusted whatever a forwarding header says: it is the connection that counts.
            this.app = Server.TOMCAT.start(
                    "deadline.budget=20s", "deadline.reserve=5s", "server.forward-headers-strategy=native");
            this.listener = this.app.bean(RecordingListener.class);
        }

        @AfterAll
        void stop() {
            this.app.close();
        }

        @BeforeEach
        void forget() {
            this.app.forgetEvents();
        }

        private HttpResponse<String> ask(String... values) {
            String[] headers = new String[values.length * 2 + 2];
            for (int i = 0; i < values.length; i++) {
                headers[2 * i] = TestApplication.CALLERS_HEADER;
                headers[2 * i + 1] = values[i];
            }
            headers[values.length * 2] = "X-Forwarded-For";
            headers[values.length * 2 + 1] = "203.0.113.9";
            return this.app.get("/seen", headers);
        }

        @Test
        void shortenTheBudget() {
            assertThat(remaining(ask("9000"))).isBetween(5000L, 9000L);
        }

        @ParameterizedTest
        @ValueSource(strings = {"999999999", "9999999999999999999999999"})
        void neverProlongTheBudget(String value) {
            assertThat(remaining(ask(value))).isBetween(15_000L, 20_000L);
            assertThat(this.listener.ignored).isEmpty();
        }

        @Test
        void countByTheShortestThatCanBeRead() {
            assertThat(remaining(ask("9000", "7000", "soon"))).isBetween(3000L, 7000L);
            assertThat(this.listener.ignored).containsExactly(TestApplication.CALLERS_HEADER);
        }

        /** C50: the reserve is absolute, and never makes the time negative. */
        @Test
        void leaveOrdinaryStepsNothingWhenShorterThanTheReserve() {
            HttpResponse<String> response = ask("4000");

            assertThat(remaining(response)).isPositive();
            assertThat(spendable(response)).isZero();
        }

        @ParameterizedTest
        @ValueSource(strings = {"0", "-1", "-999999999"})
        void refuseTheRequestBeforeAnyWorkWhenNothingIsLeft(String value) {
            HttpResponse<String> response = ask(value);

            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(response.headers().firstValue("X-Degraded")).contains("request=budget_exhausted;0");
            assertThat(response.headers().firstValue("Retry-After")).contains("5");
            assertThat(response.headers().allValues("Cache-Control")).containsExactly("no-store");
            assertThat(this.app.events()).hasSize(1);
            RequestEvent event = this.app.events().get(0);
            assertThat(event.outcome()).isEqualTo(Outcome.REFUSED);
            assertThat(event.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED);
        }

        @ParameterizedTest
        @ValueSource(strings = {"1e999", "NaN", "5 s", "", "0x10", "1,2"})
        void areIgnoredWhenTheyCannotBeRead(String value) {
            assertThat(remaining(ask(value))).isBetween(15_000L, 20_000L);
            assertThat(this.listener.ignored).containsExactly(TestApplication.CALLERS_HEADER);
        }
    }

    @Nested
    @TestInstance(Lifecycle.PER_CLASS)
    class UntrustedTests {

        private RunningApplication app;

        @BeforeAll
        void start() {
            this.app = Server.TOMCAT.start(
                    "deadline.budget=20s",
                    "deadline.propagation.inbound.trusted-peers=203.0.113.0/24",
                    "server.forward-headers-strategy=native");
        }

        @AfterAll
        void stop() {
            this.app.close();
        }

        @ParameterizedTest
        @ValueSource(strings = {"0", "-1", "100", "1e999"})
        void areNotReadFromAStranger(String value) {
            HttpResponse<String> response = this.app.get("/seen", TestApplication.CALLERS_HEADER, value);

            assertThat(remaining(response)).isBetween(15_000L, 20_000L);
            assertThat(this.app.bean(RecordingListener.class).ignored).isEmpty();
        }

        @Test
        void areNotReadFromAStrangerWhoSaysThatHeIsNone() {
            HttpResponse<String> response =
                    this.app.get("/seen", TestApplication.CALLERS_HEADER, "100", "X-Forwarded-For", "203.0.113.9");

            assertThat(remaining(response)).isBetween(15_000L, 20_000L);
        }
    }
}
