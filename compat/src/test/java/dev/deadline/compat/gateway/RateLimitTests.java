package dev.deadline.compat.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.DeadlineListener.GateEvent;
import dev.deadline.GateCause;
import dev.deadline.Reason;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.springframework.context.ConfigurableApplicationContext;

/** Limits in a running application: C67, C69, C70. */
class RateLimitTests {

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private abstract static class Running {

        private ConfigurableApplicationContext context;

        // Three requests for each path; nothing comes back while a test runs.
        void start(List<String> byAddress, List<String> byToken, String... more) {
            List<String> properties = new ArrayList<>(List.of(more));
            List<String> paths = new ArrayList<>(byAddress);
            paths.addAll(byToken);
            for (int i = 0; i < paths.size(); i++) {
                String rule = "deadline.gateway.rate-limit.rules[" + i + "].";
                properties.add(rule + "paths=" + paths.get(i));
                properties.add(rule + "limit=3");
                properties.add(rule + "period=1h");
                properties.add(rule + "key=" + ((i < byAddress.size()) ? "address" : "token"));
            }
            this.context = LimitedApplication.start(properties.toArray(String[]::new));
        }

        @AfterAll
        void stop() {
            this.context.close();
        }

        LimitedApplication.Heard heard() {
            return this.context.getBean(LimitedApplication.Heard.class);
        }

        HttpResponse<String> send(String method, String path, String... headers)
                throws IOException, InterruptedException {
            String port = this.context.getEnvironment().getRequiredProperty("local.server.port");
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                    .method(method, HttpRequest.BodyPublishers.noBody());
            for (int i = 0; i < headers.length; i += 2) {
                request.header(headers[i], headers[i + 1]);
            }
            return CLIENT.send(request.build(), BodyHandlers.ofString());
        }

        int status(String path, String... headers) throws IOException, InterruptedException {
            return send("GET", path, headers).statusCode();
        }

        void useUp(String path, String... headers) throws IOException, InterruptedException {
            for (int i = 0; i < 3; i++) {
                assertThat(status(path, headers)).isEqualTo(200);
            }
        }
    }

    @Nested
    @TestInstance(Lifecycle.PER_CLASS)
    class PlainTests extends Running {

        @BeforeAll
        void start() {
            start(List.of("/fields", "/forged", "/browser", "/api/orders"), List.of("/api/tokens", "/api/browser"));
        }

        @Test
        void saysWhatIsAllowedAndWhenToComeAgain() throws Exception {
            heard().refused.clear();
            useUp("/fields");

            HttpResponse<String> refused = send("GET", "/fields");
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("RateLimit-Policy")).hasValue("\"address\";q=3;w=3600");
            assertThat(refused.headers().firstValue("RateLimit").orElseThrow())
                    .matches("\"address\";r=0;t=1[12]\\d\\d");
            assertThat(refused.headers().firstValueAsLong("Retry-After").orElseThrow())
                    .isBetween(1100L, 1600L);
            assertThat(refused.headers().firstValue("X-Degraded").orElseThrow()).startsWith("gate=rate_limited;");
            assertThat(refused.body()).contains("429").doesNotContain("served");
            assertThat(heard().refused).singleElement().satisfies(event -> {
                assertThat(event.reason()).isEqualTo(Reason.RATE_LIMITED);
                assertThat(event.cause()).isEqualTo(GateCause.LIMIT);
                assertThat(event.enforced()).isTrue();
            });
        }

        /** C67. */
        @Test
        void givesNothingForForwardedAddresses() throws Exception {
            for (int i = 0; i < 3; i++) {
                assertThat(status("/forged", "X-Forwarded-For", "203.0.113." + i))
                        .isEqualTo(200);
            }

            assertThat(status("/forged", "X-Forwarded-For", "203.0.113.77")).isEqualTo(429);
            assertThat(status("/forged", "Forwarded", "for=203.0.113.78")).isEqualTo(429);
        }

        /** C69. */
        @Test
        void countsTokensOnlyOnceTheyAreAccepted() throws Exception {
            for (int i = 0; i < 10; i++) {
                assertThat(status("/api/tokens", "Authorization", "Bearer bad-" + i))
                        .isIn(401, 403);
            }
            useUp("/api/tokens", "Authorization", "Bearer good-1");

            HttpResponse<String> refused = send("GET", "/api/tokens", "Authorization", "bearer   good-1");
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("RateLimit-Policy")).hasValue("\"token\";q=3;w=3600");
            assertThat(refused.toString() + refused.headers()).doesNotContain("good-1");
            assertThat(status("/api/tokens", "Authorization", "Bearer good-2")).isEqualTo(200);
        }

        /** C69: whatever is sent as a token, the rule for addresses holds. */
        @Test
        void countsAddressesWhateverTokenIsSent() throws Exception {
            for (int i = 0; i < 3; i++) {
                assertThat(status("/api/orders", "Authorization", "Bearer bad-" + i))
                        .isIn(401, 403);
            }

            assertThat(status("/api/orders", "Authorization", "Bearer good-1")).isEqualTo(429);
        }

        /** C70. */
        @Test
        void letsPreflightsInAndLetsTheBrowserReadTheRefusal() throws Exception {
            String[] preflight = {"Origin", "https://shop.example", "Access-Control-Request-Method", "GET"};
            for (int i = 0; i < 10; i++) {
                assertThat(send("OPTIONS", "/browser", preflight).statusCode()).isEqualTo(200);
            }
            useUp("/browser", "Origin", "https://shop.example");

            HttpResponse<String> refused = send("GET", "/browser", "Origin", "https://shop.example");
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().allValues("Access-Control-Allow-Origin"))
                    .containsExactly("https://shop.example");
        }

        /** C70, for tokens. */
        @Test
        void letsTheBrowserReadTheRefusalOfAToken() throws Exception {
            String[] headers = {"Origin", "https://shop.example", "Authorization", "Bearer good-1"};
            useUp("/api/browser", headers);

            HttpResponse<String> refused = send("GET", "/api/browser", headers);
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().allValues("Access-Control-Allow-Origin"))
                    .containsExactly("https://shop.example");
        }
    }

    @Nested
    @TestInstance(Lifecycle.PER_CLASS)
    class LateSecurityTests extends Running {

        @BeforeAll
        void start() {
            start(List.of("/open"), List.of("/api/tokens"), "spring.security.filter.order=7");
        }

        /** C69. */
        @Test
        void countsTokensBehindSpringSecurityWhereverThatIs() throws Exception {
            useUp("/api/tokens", "Authorization", "Bearer good-1");

            assertThat(status("/api/tokens", "Authorization", "Bearer good-1")).isEqualTo(429);
        }
    }

    /** The tests are the proxy that Tomcat trusts, and the client before it makes up what is on the left. */
    @Nested
    @TestInstance(Lifecycle.PER_CLASS)
    class NativeTests extends Running {

        @BeforeAll
        void start() {
            start(
                    List.of("/open"),
                    List.of("/api/tokens"),
                    "deadline.gateway.rate-limit.rules[1].burst=1000",
                    "deadline.gateway.rate-limit.shared-token-addresses=5",
                    "server.forward-headers-strategy=native");
        }

        /** C67. */
        @Test
        void readsForwardedAddressesFromTheRight() throws Exception {
            for (int i = 0; i < 3; i++) {
                assertThat(status("/open", "X-Forwarded-For", "198.51.100." + i + ", 203.0.113.9"))
                        .isEqualTo(200);
            }

            assertThat(status("/open", "X-Forwarded-For", "198.51.100.44, 203.0.113.9"))
                    .isEqualTo(429);
            assertThat(status("/open", "X-Forwarded-For", "198.51.100.44", "X-Forwarded-For", "203.0.113.9"))
                    .as("two lines")
                    .isEqualTo(429);
            assertThat(status("/open", "X-Forwarded-For", "203.0.113.10"))
                    .as("another client")
                    .isEqualTo(200);
        }

        @Test
        void tellsOfATokenFromManyAddressesAndServesIt() throws Exception {
            String[] headers = {"Authorization", "Bearer good-1", "X-Forwarded-For", ""};
            for (int i = 0; i < 20; i++) {
                headers[3] = "203.0." + i + ".9";
                assertThat(status("/api/tokens", headers)).isEqualTo(200);
            }

            assertThat(heard().shared).singleElement().asString().matches("[0-9a-f]{8}");
        }
    }

    /** Where everything is only watched, and Spring's filter believes what clients say of themselves. */
    @Nested
    @TestInstance(Lifecycle.PER_CLASS)
    class FrameworkTests extends Running {

        @BeforeAll
        void start() {
            start(
                    List.of("/open"),
                    List.of("/api/tokens"),
                    "deadline.gateway.rate-limit.mode=observe",
                    "server.forward-headers-strategy=framework");
        }

        /** C67. */
        @Test
        void reportsWhatItWouldRefuseOfTheAddressOfTheConnection() throws Exception {
            heard().refused.clear();
            for (int i = 0; i < 5; i++) {
                assertThat(status("/open", "X-Forwarded-For", "203.0.113." + i)).isEqualTo(200);
            }

            assertThat(heard().refused).hasSize(2).noneMatch(GateEvent::enforced);
        }

        @Test
        void reportsWhatItWouldRefuseOfAToken() throws Exception {
            heard().refused.clear();
            for (int i = 0; i < 5; i++) {
                assertThat(status("/api/tokens", "Authorization", "Bearer good-1"))
                        .isEqualTo(200);
            }

            assertThat(heard().refused).hasSize(2).noneMatch(GateEvent::enforced);
        }
    }
}
