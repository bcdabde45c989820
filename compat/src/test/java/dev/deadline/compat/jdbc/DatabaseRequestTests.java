package dev.deadline.compat.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** Requests whose time ends while they are busy with a database. */
@ExtendWith(OutputCaptureExtension.class)
class DatabaseRequestTests {

    private static ConfigurableApplicationContext application;

    private static HikariDataSource pool;

    private static Shop shop;

    @BeforeAll
    static void start() {
        application = DatabaseApplication.start("deadline.budget=800ms");
        pool = application.getBean(HikariDataSource.class);
        shop = application.getBean(Shop.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void empty() {
        application.getBean(JdbcTemplate.class).update("delete from purchase");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/template", "/client", "/jpa"})
    void stopsQuery(String path) {
        HttpResponse<String> response = get(path);

        assertRefused(response);
        assertThat(shop.count()).isZero();
        assertThatPoolIsFine();
    }

    /** C24: with neither row written, and the failure that came first in the log. */
    @ParameterizedTest
    @ValueSource(strings = {"/two-updates-by-jdbc", "/two-updates-by-jpa", "/late-commit"})
    void rollsBackTransaction(String path, CapturedOutput output) {
        HttpResponse<String> response = get(path);

        assertRefused(response);
        assertThat(shop.count()).isZero();
        assertThat(output).doesNotContain("overridden by rollback exception");
        assertThatPoolIsFine();
    }

    /** C31: what goes on after its step was stopped writes nothing any more. */
    @Test
    void refusesToWriteForStepThatWasStopped() {
        HttpResponse<String> response = get("/stubborn");

        assertThat(response.body()).isEqualTo("fallback");
        assertThat(response.headers().firstValue("X-Degraded"))
                .hasValueSatisfying(value -> assertThat(value).startsWith("stubborn=upstream_timeout;"));
        assertThat(shop.count()).isZero();
        assertThatPoolIsFine();
    }

    private static void assertRefused(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(503);
        assertThat(response.headers().firstValue("X-Degraded"))
                .hasValueSatisfying(value -> assertThat(value).startsWith("request=budget_exhausted;"));
    }

    private static void assertThatPoolIsFine() {
        await().until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
        assertThat(get("/actuator/health").statusCode()).isEqualTo(200);
    }

    private static HttpResponse<String> get(String path) {
        int port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .build();
        try {
            return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        } catch (Exception ex) {
            throw new IllegalStateException("No answer to " + path, ex);
        }
    }
}
