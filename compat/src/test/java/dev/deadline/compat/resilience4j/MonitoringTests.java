package dev.deadline.compat.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** What an operator sees, and what callers in a hurry do to others, in an application with requests. */
@Timeout(60)
class MonitoringTests {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() {
        application = new SpringApplicationBuilder(MonitoredApplication.class)
                .properties(
                        "server.port=0",
                        "spring.main.banner-mode=off",
                        "deadline.budget=5s",
                        "management.endpoints.web.exposure.include=*",
                        "management.endpoint.health.show-details=always",
                        "management.health.circuitbreakers.enabled=true",
                        "management.health.ratelimiters.enabled=true",
                        "resilience4j.retry.instances.own.max-attempts=2",
                        "resilience4j.retry.instances.own.wait-duration=1ms",
                        "resilience4j.circuitbreaker.configs.default.minimum-number-of-calls=4",
                        "resilience4j.circuitbreaker.configs.default.register-health-indicator=true",
                        "resilience4j.circuitbreaker.instances.own.base-config=default",
                        "resilience4j.circuitbreaker.instances.slow.base-config=default",
                        "resilience4j.bulkhead.instances.own.max-concurrent-calls=3",
                        "resilience4j.ratelimiter.instances.own.limit-for-period=1000",
                        "resilience4j.ratelimiter.instances.own.register-health-indicator=true",
                        "resilience4j.ratelimiter.instances.own.subscribe-for-events=true")
                .run();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        String port = application.getEnvironment().getProperty("local.server.port");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void endpointsHealthAndMetersShowWhatHappens() throws Exception {
        assertThat(get("/fails").statusCode()).isEqualTo(500);

        assertThat(get("/actuator/retries").body()).contains("own");
        assertThat(get("/actuator/retryevents/own").body()).contains("RETRY").contains("ERROR");
        assertThat(get("/actuator/circuitbreakers").body()).contains("own").contains("\"failedCalls\":2");
        assertThat(get("/actuator/circuitbreakerevents/own").body()).contains("ERROR");
        assertThat(get("/actuator/bulkheads").body()).contains("own");
        assertThat(get("/actuator/bulkheadevents/own").body()).contains("CALL_PERMITTED");
        assertThat(get("/actuator/ratelimiters").body()).contains("own");
        assertThat(get("/actuator/ratelimiterevents/own").body()).contains("SUCCESSFUL_ACQUIRE");
        assertThat(get("/actuator/health").body()).contains("circuitBreakers").contains("rateLimiters");
        MeterRegistry meters = application.getBean(MeterRegistry.class);
        assertThat(meters.get("resilience4j.retry.calls")
                        .tags("name", "own", "kind", "failed_with_retry")
                        .functionCounter()
                        .count())
                .isEqualTo(1);
        assertThat(meters.get("resilience4j.circuitbreaker.calls")
                        .tags("name", "own", "kind", "failed")
                        .timer()
                        .count())
                .isEqualTo(2);
        assertThat(meters.get("resilience4j.bulkhead.max.allowed.concurrent.calls")
                        .tags("name", "own")
                        .gauge()
                        .value())
                .isEqualTo(3);
        assertThat(meters.get("resilience4j.ratelimiter.available.permissions")
                        .tags("name", "own")
                        .gauge()
                        .value())
                .isPositive();
    }

    /** C61: the upstream is healthy, only not quick enough for one of its callers. */
    @ParameterizedTest
    @ValueSource(strings = {"/slow/blocking", "/slow/stage", "/slow/mono", "/slow/step"})
    void callerInAHurryDoesNotOpenTheBreakerForOthers(String path) throws Exception {
        MonitoredApplication.SlowCalls calls = application.getBean(MonitoredApplication.SlowCalls.class);
        CircuitBreaker breaker =
                application.getBean(CircuitBreakerRegistry.class).circuitBreaker("slow");
        breaker.reset();
        assertThat(get(path).body()).isEqualTo("done");
        int before = calls.asked();

        // Those that have used up their time on the way are refused at the door.
        while (calls.asked() < before + 8) {
            assertThat(get(path, "X-Deadline-Remaining-Ms", "25").statusCode()).isEqualTo(503);
        }

        assertThat(breaker.getState()).isEqualTo(CircuitBreaker.State.CLOSED);
        assertThat(breaker.getMetrics().getNumberOfFailedCalls()).isZero();
        assertThat(get(path, "X-Deadline-Remaining-Ms", "2000").body()).isEqualTo("done");
    }
}
