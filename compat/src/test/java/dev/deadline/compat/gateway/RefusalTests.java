package dev.deadline.compat.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deadline.compat.servlet.RawAnswer;
import dev.deadline.compat.servlet.RawConnection;
import dev.deadline.gateway.Shedder;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.filter.CorsFilter;

/** What becomes of connections, and of the count of what is inside, in an application with a context path. */
class RefusalTests {

    private static ConfigurableApplicationContext context;

    @TempDir
    private static Path logs;

    @BeforeAll
    static void start() {
        context = StampApplication.start(
                additions -> {
                    additions.registerBean("asyncPages", AsyncPages.class);
                    additions.registerBean("cors", CorsFilter.class, RefusalTests::cors);
                    additions.registerBean(
                            "limited",
                            ServletRegistrationBean.class,
                            () -> new ServletRegistrationBean<>(new Limited(), "/limited"));
                },
                "server.servlet.context-path=/app",
                "server.compression.enabled=true",
                "server.compression.min-response-size=1",
                "server.compression.mime-types=application/problem+json,text/plain",
                "server.http2.enabled=true",
                "server.tomcat.accesslog.enabled=true",
                "server.tomcat.accesslog.directory=" + logs,
                "server.tomcat.accesslog.buffered=false",
                "server.tomcat.accesslog.pattern=%s %m %U",
                // Tomcat does not count down a request that throws when it is asynchronous already.
                "server.shutdown=immediate",
                "spring.mvc.async.request-timeout=100ms",
                // Whoever asks for this is too late at the gate already.
                "deadline.routes[0].paths=/hurries",
                "deadline.routes[0].budget=1ns",
                "deadline.answer-margin=0ms",
                "deadline.gateway.shedding.mode=enforce",
                "deadline.gateway.rate-limit.rules[0].paths=/limited",
                "deadline.gateway.rate-limit.rules[0].limit=1",
                "deadline.gateway.rate-limit.rules[0].period=1h");
    }

    private static CorsFilter cors() {
        CorsConfiguration configuration = new CorsConfiguration();
        configuration.setAllowedOrigins(List.of("https://shop.example"));
        UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
        source.registerCorsConfiguration("/**", configuration);
        return new CorsFilter(source);
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    private static RawConnection connect() throws IOException {
        return new RawConnection(StampApplication.port(context));
    }

    private static String get(String path, String... headers) {
        return request("GET", path, headers);
    }

    private static String request(String method, String path, String... headers) {
        StringBuilder text = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n");
        Stream.of(headers).forEach(header -> text.append(header).append("\r\n"));
        return text.append("\r\n").toString();
    }

    @Test
    void servesWhatFollowsARefusalOnItsConnection() throws Exception {
        try (RawConnection connection = connect()) {
            connection.send(get("/app/hurries", "Accept-Encoding: gzip")
                    + get("/app/tells")
                    + get("/app/hurries")
                    + get("/app/nowhere")
                    + request("POST", "/app/hurries", "Content-Length: 5")
                    + "12345"
                    + get("/app/tells")
                    + request("HEAD", "/app/hurries", "Connection: close"));

            RawAnswer refused = connection.readAnswer();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.header("Content-Encoding")).isEmpty();
            assertThat(refused.header("Connection")).isEmpty();
            assertThat(connection.readAnswer().status()).isEqualTo(200);
            assertThat(connection.readAnswer().status()).isEqualTo(503);
            assertThat(connection.readAnswer().status()).isEqualTo(404);
            assertThat(connection.readAnswer().status()).isEqualTo(503);
            assertThat(connection.readAnswer().status()).isEqualTo(200);
            assertThat(connection.readToEnd())
                    .startsWith("HTTP/1.1 503")
                    .contains("Connection: close", "Content-Length: 65")
                    .endsWith("\r\n\r\n");
        }
        await().untilAsserted(() -> assertThat(accessLog())
                .contains("503 HEAD /app/hurries", "503 GET /app/hurries", "503 POST /app/hurries")
                .doesNotContain("429 GET /app/hurries", "429 HEAD /app/hurries", "429 POST /app/hurries"));
    }

    private static String accessLog() throws IOException {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.list(logs)) {
            for (Path file : files.toList()) {
                text.append(Files.readString(file));
            }
        }
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /app/hurries HTTP/1.0\r\n\r\n",
                "GET /app/hurries HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            })
    void endsTheConnectionOfWhoWantsThat(String request) throws Exception {
        try (RawConnection connection = connect()) {
            connection.send(request);

            assertThat(connection.readToEnd()).startsWith("HTTP/1.1 503").endsWith("503}");
        }
    }

    @Test
    void refusesStreamsOfHttp2() throws Exception {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
        for (int i = 0; i < 3; i++) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(
                                    URI.create("http://localhost:" + StampApplication.port(context) + "/app/hurries"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.headers().firstValue("X-Degraded").orElse("")).startsWith("gate=shed");
        }
    }

    /** C70: a filter that refuses an origin does not answer in the gate's place. */
    @Test
    void refusesOriginsThatAreNotAllowedLikeAllOthers() throws Exception {
        try (RawConnection connection = connect()) {
            connection.send(get("/app/limited"));
            connection.readAnswer();
            connection.send(get("/app/limited", "Origin: https://evil.example"));

            RawAnswer answer = connection.readAnswer();
            assertThat(answer.status()).isEqualTo(429);
            assertThat(answer.header("Access-Control-Allow-Origin")).isEmpty();
            assertThat(answer.header("Retry-After")).isNotEmpty();
            assertThat(answer.body()).endsWith("429}");

            connection.send(get("/app/limited", "Origin: https://shop.example"));
            answer = connection.readAnswer();
            assertThat(answer.status()).isEqualTo(429);
            assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo("https://shop.example");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/app/limited",
                "/app/limited;a=b",
                "/app;a=b/limited",
                "/%61pp/limited",
                "/app/%6cimited",
                "/app//limited",
                "//app/limited",
                "/app/./limited",
                "/app/x/../limited",
                "/x/../app/limited",
                "/app/../app/limited"
            })
    void limitsAPathHoweverItIsWritten(String path) throws Exception {
        try (RawConnection connection = connect()) {
            connection.send(get("/app/limited"));
            connection.readAnswer();
            connection.send(get(path));

            assertThat(connection.readAnswer().status()).isEqualTo(429);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "calls",
                "completes",
                "dispatches",
                "throws",
                "throwsLater",
                "fails",
                "timesOut",
                "timesOutItself",
                "again"
            })
    void countsWhatIsInsideDownAgain(String page) throws Exception {
        try (RawConnection connection = connect()) {
            connection.send(get("/app/" + page, "Connection: close"));
            connection.readToEnd();
        }
        Shedder shedder = context.getBean(Shedder.class);
        await().untilAsserted(() -> assertThat((Object) ReflectionTestUtils.invokeMethod(shedder, "inFlight"))
                .isEqualTo(0));
    }

    private static final class Limited extends HttpServlet {

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print("limited");
        }
    }

    /** Ways in which an asynchronous request goes on and ends. */
    @RestController
    static class AsyncPages {

        @GetMapping("/calls")
        Callable<String> calls() {
            return () -> "called";
        }

        @GetMapping("/completes")
        void completes(HttpServletRequest request) {
            request.startAsync().complete();
        }

        @GetMapping("/dispatches")
        void dispatches(HttpServletRequest request) {
            request.startAsync().dispatch("/tells");
        }

        @GetMapping("/throws")
        void throwsAtOnce() {
            throw new IllegalStateException("thrown");
        }

        @GetMapping("/throwsLater")
        void throwsLater(HttpServletRequest request) {
            request.startAsync();
            throw new IllegalStateException("thrown while asynchronous");
        }

        @GetMapping("/fails")
        Callable<String> fails() {
            return () -> {
                throw new IllegalStateException("thrown by another thread");
            };
        }

        @GetMapping("/timesOut")
        DeferredResult<String> timesOut() {
            return new DeferredResult<>();
        }

        @GetMapping("/timesOutItself")
        void timesOutItself(HttpServletRequest request) {
            request.startAsync().setTimeout(50);
        }

        @GetMapping("/again")
        void again(HttpServletRequest request) {
            AsyncContext started = request.startAsync();
            if (request.getAttribute("again") == null) {
                request.setAttribute("again", true);
                started.dispatch();
            } else {
                started.complete();
            }
        }
    }
}
