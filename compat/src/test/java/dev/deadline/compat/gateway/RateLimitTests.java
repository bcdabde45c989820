package dev.deadline.compat.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.GateCause;
import dev.deadline.Reason;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Limits in a running application: C67, C69, C70. */
class RateLimitTests {

    private static final String PREFIX = "--deadline.gateway.rate-limit.";

    // Nothing comes back while a test runs.
    private static final String[] BY_ADDRESS = {PREFIX + "rules[0].limit=3", PREFIX + "rules[0].period=1h"};

    private static final String[] BY_TOKEN = {
        PREFIX + "rules[0].limit=3", PREFIX + "rules[0].period=1h", PREFIX + "rules[0].key=token"
    };

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private ConfigurableApplicationContext context;

    private void start(String[] rules, String... more) {
        String[] arguments = Stream.of(Stream.of("--server.port=0"), Stream.of(rules), Stream.of(more))
                .flatMap(each -> each)
                .toArray(String[]::new);
        this.context = new SpringApplicationBuilder(LimitedApplication.class).run(arguments);
    }

    @AfterEach
    void stop() {
        this.context.close();
    }

    private LimitedApplication.Heard heard() {
        return this.context.getBean(LimitedApplication.Heard.class);
    }

    private HttpResponse<String> send(String method, String path, String... headers)
            throws IOException, InterruptedException {
        String port = this.context.getEnvironment().getRequiredProperty("local.server.port");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, HttpRequest.BodyPublishers.noBody());
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return this.client.send(request.build(), BodyHandlers.ofString());
    }

    private int status(String path, String... headers) throws IOException, InterruptedException {
        return send("GET", path, headers).statusCode();
    }

    private void useUp(String path, String... headers) throws IOException, InterruptedException {
        for (int i = 0; i < 3; i++) {
            assertThat(status(path, headers)).isEqualTo(200);
        }
    }

    @Test
    void saysWhatIsAllowedAndWhenToComeAgain() throws Exception {
        start(BY_ADDRESS);
        useUp("/open");

        HttpResponse<String> refused = send("GET", "/open");
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("RateLimit-Policy")).hasValue("\"address\";q=3;w=3600");
        assertThat(refused.headers().firstValue("RateLimit").orElseThrow()).matches("\"address\";r=0;t=1[12]\\d\\d");
        assertThat(refused.headers().firstValueAsLong("Retry-After").orElseThrow())
                .isBetween(1190L, 1600L);
        assertThat(refused.body()).contains("rate_limited").doesNotContain("served");
        assertThat(heard().refused).singleElement().satisfies(event -> {
            assertThat(event.reason()).isEqualTo(Reason.RATE_LIMITED);
            assertThat(event.cause()).isEqualTo(GateCause.LIMIT);
            assertThat(event.enforced()).isTrue();
        });
    }

    @Test
    void onlyReportsWhereItObserves() throws Exception {
        start(BY_ADDRESS, PREFIX + "mode=observe");
        useUp("/open");

        assertThat(status("/open")).isEqualTo(200);
        assertThat(heard().refused)
                .singleElement()
                .satisfies(event -> assertThat(event.enforced()).isFalse());
    }

    /** C67. */
    @Test
    void givesNothingForForwardedAddressesUnlessTheContainerTrustsThem() throws Exception {
        start(BY_ADDRESS);
        for (int i = 0; i < 3; i++) {
            assertThat(status("/open", "X-Forwarded-For", "203.0.113." + i)).isEqualTo(200);
        }

        assertThat(status("/open", "X-Forwarded-For", "203.0.113.77")).isEqualTo(429);
        assertThat(status("/open", "Forwarded", "for=203.0.113.78")).isEqualTo(429);
    }

    /** C67: this test is the trusted proxy, and the client before it makes up what is on the left. */
    @Test
    void readsForwardedAddressesFromTheRight() throws Exception {
        start(BY_ADDRESS, "--server.forward-headers-strategy=native");
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

    /** C69. */
    @Test
    void countsTokensOnlyOnceTheyAreAccepted() throws Exception {
        start(BY_TOKEN);
        for (int i = 0; i < 10; i++) {
            assertThat(status("/api/orders", "Authorization", "Bearer bad-" + i))
                    .isIn(401, 403);
            assertThat(status("/open", "Authorization", "Bearer bad-" + i)).isEqualTo(200);
        }
        useUp("/api/orders", "Authorization", "Bearer good-1");

        HttpResponse<String> refused = send("GET", "/api/orders", "Authorization", "bearer   good-1");
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("RateLimit-Policy")).hasValue("\"token\";q=3;w=3600");
        assertThat(status("/api/orders", "Authorization", "Bearer good-2")).isEqualTo(200);
    }

    /** C69: whatever is sent as a token, the rule for addresses holds. */
    @Test
    void countsAddressesWhateverTokenIsSent() throws Exception {
        start(BY_ADDRESS);
        for (int i = 0; i < 3; i++) {
            status("/api/orders", "Authorization", "Bearer bad-" + i);
        }

        assertThat(status("/api/orders", "Authorization", "Bearer good-1")).isEqualTo(429);
    }

    /** C70. */
    @Test
    void letsPreflightsInAndLetsTheBrowserReadTheRefusal() throws Exception {
        start(
                BY_ADDRESS,
                PREFIX + "rules[1].key=token",
                PREFIX + "rules[1].limit=1",
                PREFIX + "rules[1].paths=/api/**");
        String[] preflight = {"Origin", "https://shop.example", "Access-Control-Request-Method", "GET"};
        for (int i = 0; i < 10; i++) {
            assertThat(send("OPTIONS", "/open", preflight).statusCode()).isEqualTo(200);
        }
        useUp("/open", "Origin", "https://shop.example");

        HttpResponse<String> refused = send("GET", "/open", "Origin", "https://shop.example");
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().allValues("Access-Control-Allow-Origin")).containsExactly("https://shop.example");
    }

    /** C70, for tokens. */
    @Test
    void letsTheBrowserReadTheRefusalOfAToken() throws Exception {
        start(BY_TOKEN);
        String[] headers = {"Origin", "https://shop.example", "Authorization", "Bearer good-1"};
        useUp("/api/orders", headers);

        HttpResponse<String> refused = send("GET", "/api/orders", headers);
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().allValues("Access-Control-Allow-Origin")).containsExactly("https://shop.example");
    }

    @Test
    void tellsOfATokenFromManyAddressesAndServesIt() throws Exception {
        start(
                BY_TOKEN,
                PREFIX + "rules[0].burst=1000",
                PREFIX + "shared-token-addresses=5",
                "--server.forward-headers-strategy=native");
        for (int i = 0; i < 20; i++) {
            assertThat(status("/api/orders", "Authorization", "Bearer good-1", "X-Forwarded-For", "203.0." + i + ".9"))
                    .isEqualTo(200);
        }

        assertThat(heard().shared).singleElement().asString().matches("[0-9a-f]{8}");
    }
}
