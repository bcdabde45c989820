package dev.deadline.compat.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.DeadlineListener.RequestEvent;
import dev.deadline.Outcome;
import dev.deadline.Reason;
import dev.deadline.compat.webclient.Repeated;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of requests that take longer than their budget. Run on each container. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class BudgetContract {

    private final Server server;

    private RunningApplication app;

    private final String[] more;

    BudgetContract(Server server, String... more) {
        this.server = server;
        this.more = more;
    }

    @BeforeAll
    void start() {
        List<String> properties = new ArrayList<>(List.of(
                "deadline.budget=250ms",
                "deadline.reserve=100ms",
                "deadline.exclude-paths=/seen/excluded/**",
                "deadline.routes[0].paths=/seen/long/**",
                "deadline.routes[0].budget=20s",
                "deadline.routes[0].reserve=1s",
                "deadline.routes[1].paths=/seen/long/posted",
                "deadline.routes[1].methods=post",
                "deadline.routes[1].budget=40s",
                // Those that are to be served in time, on a busy machine too.
                "deadline.routes[2].paths=/healthy,/forwards,/seen",
                "deadline.routes[2].budget=20s",
                // One thread, so that each request meets what the one before left behind.
                "server.tomcat.threads.max=1",
                "server.tomcat.threads.min-spare=1"));
        properties.addAll(List.of(this.more));
        this.app = this.server.start(properties.toArray(String[]::new));
    }

    @AfterAll
    void stop() {
        this.app.close();
    }

    @BeforeEach
    void forget() {
        this.app.forgetEvents();
    }

    private RequestEvent onlyEvent() {
        List<RequestEvent> events = this.app.events();
        assertThat(events).hasSize(1);
        return events.get(0);
    }

    static void assertRefused(HttpResponse<String> response) {
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.headers().allValues("X-Degraded")).hasSize(1);
        assertThat(response.headers().firstValue("X-Degraded"))
                .hasValueSatisfying(value -> assertThat(value).matches("request=budget_exhausted;\\d+"));
        assertThat(response.headers().allValues("Cache-Control")).containsExactly("no-store");
        assertThat(response.headers().allValues("Retry-After")).containsExactly("5");
        assertThat(response.headers().map())
                .doesNotContainKeys("etag", "last-modified", "expires", "content-disposition", "content-encoding");
        assertThat(response.body()).contains("\"status\":503").doesNotContain("too late", "Exception");
    }

    /** Also C45's opposite: what the application makes of the end of its time does not matter. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/late/returns",
                "/late/decorated",
                "/late/flushes",
                "/late/redirects",
                "/late/forwards",
                "/late/errs",
                "/late/floods",
                "/late/throws/checkpoint",
                "/late/throws/whatever"
            })
    void refusesARequestWhoseTimeIsUp(String path) {
        long start = System.nanoTime();
        HttpResponse<String> response = this.app.get(path, "Accept", "application/json");

        assertRefused(response);
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)).isBetween(250L, 3000L);
        RequestEvent event = onlyEvent();
        assertThat(event.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(event.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED);
    }

    @Test
    void keepsWhatIsNotAboutTheAbandonedContent() {
        HttpResponse<String> response = this.app.get("/late/decorated", "Accept", "application/json");

        assertRefused(response);
        assertThat(response.headers().firstValue("X-Custom")).contains("kept");
        assertThat(response.headers().firstValue("Set-Cookie")).contains("seen=1");
        assertThat(response.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("application/json"));
    }

    @Test
    void rendersTheErrorPageForBrowsers() {
        HttpResponse<String> response = this.app.get("/late/returns", "Accept", "text/html");

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).contains("Whitelabel").doesNotContain("Exception");
    }

    @Test
    void refusesHeadRequestsWithoutABody() {
        HttpResponse<String> response = this.app.send("HEAD", "/late/returns");

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.headers().firstValue("X-Degraded")).isPresent();
        assertThat(response.body()).isEmpty();
    }

    @Test
    void leavesAHealthyResponseAsItIs() {
        HttpResponse<String> response = this.app.get("/healthy");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("fine");
        assertThat(response.headers().map()).doesNotContainKeys("x-degraded", "retry-after", "server-timing");
        assertThat(response.headers().allValues("Cache-Control")).containsExactly("max-age=60");
        assertThat(response.headers().allValues("ETag")).containsExactly("\"v1\"");
        assertThat(response.headers().allValues("Last-Modified")).containsExactly("Tue, 03 Jun 2008 11:05:30 GMT");
        assertThat(response.headers().allValues("Expires")).containsExactly("Tue, 03 Jun 2036 11:05:30 GMT");
        assertThat(onlyEvent().outcome()).isEqualTo(Outcome.OK);
    }

    @Test
    void leavesAForwardedResponseAsItIs() {
        HttpResponse<String> response = this.app.get("/forwards");

        assertThat(response.body()).isEqualTo("plain");
        assertThat(response.headers().allValues("Cache-Control")).containsExactly("max-age=60");
    }

    @Test
    void answersNotModifiedWhenHealthy() {
        HttpResponse<String> response = this.app.get("/healthy", "If-None-Match", "\"v1\"");

        assertThat(response.statusCode()).isEqualTo(304);
        assertThat(response.headers().allValues("ETag")).containsExactly("\"v1\"");
    }

    @Test
    void givesTheControllerTheDeadlineOfTheRequest() {
        assertThat(this.app.get("/seen").body()).contains("\"bounded\":true", "\"own\":true");
    }

    @Test
    void takesTheBudgetOfTheMostSpecificRoute() {
        assertThat(remaining(this.app.get("/seen/long/x"))).isBetween(10_000L, 20_000L);
        assertThat(remaining(this.app.send("POST", "/seen/long/posted"))).isBetween(30_000L, 40_000L);
        assertThat(remaining(this.app.get("/seen/long/posted"))).isBetween(10_000L, 20_000L);
        assertThat(remaining(this.app.get("/seen/excluded/x"))).isEqualTo(-1);
        assertThat(remaining(getInTime("/seen/else"))).isBetween(0L, 250L);
    }

    // On a busy machine a quarter of a second may be over before anything is done.
    private HttpResponse<String> getInTime(String path) {
        return Repeated.until(response -> response.statusCode() != 503, () -> this.app.get(path));
    }

    private static long remaining(HttpResponse<String> response) {
        return Long.parseLong(response.body().replaceAll(".*\"remaining\":(-?\\d+).*", "$1"));
    }

    /** A bad path is refused by the container or served; it never falls over in the filter. */
    @ParameterizedTest
    @ValueSource(
            strings = {"/seen//double", "/seen;v=1/x", "/seen/%2e%2e/x", "/seen/caf%C3%A9", "/seen/%FF", "/seen/a%25zz"
            })
    void survivesOddPaths(String path) {
        assertThat(getInTime(path).statusCode()).isBetween(200, 499);
    }

    /** C36, C38: on one thread, what follows a request that was cut sees neither its deadline nor its interrupt. */
    @Test
    void leavesNothingBehindForTheNextRequest() {
        for (int i = 0; i < 4; i++) {
            assertThat(this.app.get("/late/returns").statusCode()).isEqualTo(503);
            assertThat(this.app.get("/gate/closed").statusCode()).isEqualTo(503);
            assertThat(this.app.get("/seen/excluded/x").body()).contains("\"bounded\":false", "\"interrupted\":false");
            assertThat(this.app.get("/seen/long/x").body()).contains("\"bounded\":true", "\"interrupted\":false");
        }
    }

    /** C46: under load every client gets one answer, and it is its own. */
    @Test
    void givesNobodyTheAnswerOfAnother() {
        List<String> wrong = IntStream.range(0, 40)
                .parallel()
                .mapToObj(id -> {
                    boolean late = id % 4 == 0;
                    HttpResponse<String> response = this.app.get("/echo/" + id + "?late=" + late);
                    boolean right = response.statusCode() == 503
                            || (!late && response.body().equals("echo " + id) && response.statusCode() == 200);
                    return right ? "" : "echo " + id + " got " + response.statusCode() + " " + response.body();
                })
                .filter(text -> !text.isEmpty())
                .toList();

        assertThat(wrong).isEmpty();
    }

    /** C48: a refusal that comes before the body has been read is seen by the client that sends it. */
    @Test
    void letsAnUploadSeeItsEarlyRefusal() throws Exception {
        HttpRequest upload = HttpRequest.newBuilder(URI.create("http://localhost:" + this.app.port() + "/reads"))
                .header("X-Deadline-Remaining-Ms", "0")
                .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[256 * 1024]))
                .build();

        HttpResponse<String> response = HttpClient.newHttpClient().send(upload, HttpResponse.BodyHandlers.ofString());

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.headers().firstValue("X-Degraded")).hasValue("request=budget_exhausted;0");
    }

    /** C47: what was flushed in time stays, with its status and headers. */
    @Test
    void leavesAStreamAloneWhoseHeadIsOut() {
        // On a busy machine its time may be up before the head is out.
        HttpResponse<String> response = Repeated.until(answer -> answer.statusCode() != 503, () -> {
            this.app.forgetEvents();
            return this.app.get("/streams");
        });

        assertThat(response.statusCode()).isEqualTo(201);
        assertThat(response.headers().firstValue("X-Custom")).contains("kept");
        assertThat(response.headers().map()).doesNotContainKey("x-degraded");
        assertThat(response.body()).isEqualTo("head,tail");
        assertThat(onlyEvent().reason()).isEqualTo(Reason.BUDGET_EXHAUSTED);
    }
}
