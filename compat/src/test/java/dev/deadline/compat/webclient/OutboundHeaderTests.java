package dev.deadline.compat.webclient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.deadline.Deadlines;
import dev.deadline.propagation.DeadlineCodec;
import dev.deadline.propagation.GrpcTimeoutCodec;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import reactor.util.retry.Retry;

class OutboundHeaderTests {

    private static final String HEADER = "X-Deadline-Remaining-Ms";

    private static ConfigurableApplicationContext application;

    private FaultServer upstream;

    @BeforeAll
    static void start() {
        application = WebClientApplication.startWithThreadsOfItsOwn();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void startUpstream() {
        this.upstream = new FaultServer();
    }

    @AfterEach
    void stopUpstream() throws IOException {
        this.upstream.close();
    }

    private List<String> sent(ConfigurableApplicationContext application, Duration budget) {
        try (Deadlines.Started started = application.getBean(Deadlines.class).start(budget)) {
            WebClient client = application.getBean(WebClient.Builder.class).build();
            client.get()
                    .uri(this.upstream.url("/ok"))
                    .retrieve()
                    .toBodilessEntity()
                    .block();
        }
        return this.upstream.requests().get(0).header(HEADER);
    }

    @Test
    void sendsTheTimeLeft() {
        List<String> values = sent(application, Duration.ofSeconds(60));

        assertThat(values)
                .singleElement()
                .satisfies(value -> assertThat(Integer.parseInt(value)).isBetween(50_000, 60_000));
    }

    /** C72: what an application copied from its own caller is replaced, not added to. */
    @Test
    void replacesWhatTheApplicationSet() {
        try (Deadlines.Started started = application.getBean(Deadlines.class).start(Duration.ofSeconds(60))) {
            application
                    .getBean(WebClient.Builder.class)
                    .build()
                    .get()
                    .uri(this.upstream.url("/ok"))
                    .header(HEADER.toLowerCase(), "99999999", "-1")
                    .retrieve()
                    .toBodilessEntity()
                    .block();
        }

        assertThat(this.upstream.requests().get(0).header(HEADER))
                .singleElement()
                .satisfies(value -> assertThat(Integer.parseInt(value)).isBetween(50_000, 60_000));
    }

    @Test
    void writesWhatIsLeftAtEveryAttempt() {
        try (Deadlines.Started started = application.getBean(Deadlines.class).start(Duration.ofSeconds(60))) {
            WebClient client = application
                    .getBean(WebClient.Builder.class)
                    .filter((request, next) -> next.exchange(request)
                            .flatMap(response -> response.<ClientResponse>createError())
                            .retryWhen(Retry.backoff(2, Duration.ofMillis(20)).jitter(0)))
                    .build();
            assertThatExceptionOfType(RuntimeException.class)
                    .isThrownBy(() -> client.get()
                            .uri(this.upstream.url("/unavailable"))
                            .retrieve()
                            .toBodilessEntity()
                            .block());
        }

        List<Integer> values = this.upstream.requests().stream()
                .map(request -> Integer.valueOf(String.join(",", request.header(HEADER))))
                .toList();
        assertThat(values).hasSize(3);
        assertThat(values.get(0) - values.get(1)).isGreaterThanOrEqualTo(19);
        assertThat(values.get(1) - values.get(2)).isGreaterThanOrEqualTo(39);
    }

    @Test
    void sendsNothingWithoutDeadline() {
        application
                .getBean(WebClient.Builder.class)
                .build()
                .get()
                .uri(this.upstream.url("/ok"))
                .retrieve()
                .toBodilessEntity()
                .block();

        assertThat(this.upstream.requests().get(0).header(HEADER)).isEmpty();
    }

    @Test
    void sendsOnlyToHostsThatAreNamed() {
        try (ConfigurableApplicationContext application =
                WebClientApplication.start("deadline.propagation.outbound.hosts=other,*.example.org")) {
            assertThat(sent(application, Duration.ofSeconds(60))).isEmpty();
        }
    }

    @Test
    void sendsToHostsThatAreNamed() {
        try (ConfigurableApplicationContext application =
                WebClientApplication.start("deadline.propagation.outbound.hosts=other,LocalHost")) {
            assertThat(sent(application, Duration.ofSeconds(60))).hasSize(1);
        }
    }

    @Test
    void sendsNothingWhenDisabled() {
        try (ConfigurableApplicationContext application =
                WebClientApplication.start("deadline.propagation.outbound.enabled=false")) {
            assertThat(sent(application, Duration.ofSeconds(60))).isEmpty();
        }
    }

    @Test
    void changesNothingInObserveMode() {
        try (ConfigurableApplicationContext application = WebClientApplication.start("deadline.mode=observe")) {
            assertThat(sent(application, Duration.ofNanos(1))).isEmpty();
        }
    }

    @Test
    void leavesNoTraceWhenDisabled() {
        try (ConfigurableApplicationContext application = WebClientApplication.start("deadline.enabled=false")) {
            application
                    .getBean(WebClient.Builder.class)
                    .filters(filters -> assertThat(filters).isEmpty());
        }
    }

    @Test
    void writesWithTheFirstCodec() {
        try (ConfigurableApplicationContext application = WebClientApplication.start(OwnCodec.class)) {
            assertThat(sent(application, Duration.ofSeconds(60))).isEmpty();
            assertThat(this.upstream.requests().get(0).header(GrpcTimeoutCodec.HEADER))
                    .singleElement()
                    .asString()
                    .endsWith("u");
        }
    }

    @Test
    void letsAnErrorStatusThroughOutsideAStep() {
        try (Deadlines.Started started = application.getBean(Deadlines.class).start(Duration.ofSeconds(60))) {
            WebClient client = application.getBean(WebClient.Builder.class).build();

            assertThatExceptionOfType(WebClientResponseException.ServiceUnavailable.class)
                    .isThrownBy(() -> client.get()
                            .uri(this.upstream.url("/expired"))
                            .retrieve()
                            .toBodilessEntity()
                            .block());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class OwnCodec {

        @Bean
        @Order(-1)
        DeadlineCodec ownCodec() {
            return new GrpcTimeoutCodec();
        }
    }
}
