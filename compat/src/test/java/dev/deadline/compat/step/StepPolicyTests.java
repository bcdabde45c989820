package dev.deadline.compat.step;

import static dev.deadline.OnTimeout.CLOSED;
import static dev.deadline.OnTimeout.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.deadline.DeadlineListener;
import dev.deadline.Outcome;
import dev.deadline.Reason;
import dev.deadline.Step;
import dev.deadline.StepFailedException;
import dev.deadline.Steps;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class StepPolicyTests {

    private static ConfigurableApplicationContext context;

    private final Recorder recorder = context.getBean(Recorder.class);

    private final GeoClient geo = context.getBean(GeoClient.class);

    @BeforeAll
    static void start() {
        context = new SpringApplicationBuilder(App.class)
                .web(WebApplicationType.NONE)
                .run("--spring.main.banner-mode=off");
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @BeforeEach
    void forget() {
        this.recorder.steps.clear();
    }

    @Test
    void interruptsTheCallAndServesTheFallback() throws Exception {
        assertThat(this.geo.hang("address")).isNull();
        assertOnlyStep("geo", Outcome.DEGRADED, Reason.UPSTREAM_TIMEOUT);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void refusesTheRequestAtAGate() {
        assertThatExceptionOfType(StepFailedException.class)
                .isThrownBy(this.geo::revocation)
                .satisfies(failure -> assertThat(failure.reason()).isEqualTo(Reason.UPSTREAM_ERROR));
        assertOnlyStep("revocation", Outcome.FAILED, Reason.UPSTREAM_ERROR);
    }

    /** C26. */
    @Test
    void leavesBusinessExceptionsAlone() {
        assertThatExceptionOfType(NoSuchElementException.class)
                .isThrownBy(this.geo::notFound)
                .withMessage("not found");
        assertOnlyStep("notFound", Outcome.BUSINESS_ERROR, null);
    }

    /** C27. */
    @Test
    void refusesTheRequestWithTheOwnCauseOfAThrowingFallback() {
        assertThatExceptionOfType(StepFailedException.class)
                .isThrownBy(this.geo::broken)
                .satisfies(failure -> assertThat(failure.getCause()).isInstanceOf(CloneNotSupportedException.class));
        assertOnlyStep("broken", Outcome.FAILED, Reason.UPSTREAM_ERROR);
    }

    @Test
    void servesTheFallbackOfAFunctionalStep() throws Exception {
        String answer = context.getBean(Steps.class)
                .open("functional")
                .timeout(Duration.ofMillis(50))
                .call(
                        () -> {
                            new CountDownLatch(1).await();
                            return "never";
                        },
                        failure -> failure.reason().code());
        assertThat(answer).isEqualTo("upstream_timeout");
        assertOnlyStep("functional", Outcome.DEGRADED, Reason.UPSTREAM_TIMEOUT);
    }

    private void assertOnlyStep(String name, Outcome outcome, Reason reason) {
        assertThat(this.recorder.steps).singleElement().satisfies(event -> {
            assertThat(event.step()).isEqualTo(name);
            assertThat(event.outcome()).isEqualTo(outcome);
            assertThat(event.reason()).isEqualTo(reason);
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {

        @Bean
        Recorder recorder() {
            return new Recorder();
        }

        @Bean
        GeoClient geoClient() {
            return new GeoClient();
        }
    }

    static class Recorder implements DeadlineListener {

        final List<StepEvent> steps = new CopyOnWriteArrayList<>();

        @Override
        public void stepFinished(StepEvent event) {
            this.steps.add(event);
        }
    }

    static class GeoClient {

        @Step(name = "geo", onTimeout = OPEN, timeout = "50ms", fallback = "noGeo")
        public String hang(String address) throws InterruptedException {
            new CountDownLatch(1).await();
            return "never";
        }

        private String noGeo(String address) {
            return null;
        }

        @Step(name = "revocation", onTimeout = CLOSED)
        public void revocation() throws IOException {
            throw new IOException();
        }

        @Step(name = "notFound", onTimeout = OPEN)
        public List<String> notFound() {
            throw new NoSuchElementException("not found");
        }

        @Step(name = "broken", onTimeout = OPEN, fallback = "throwing")
        public String broken() throws IOException {
            throw new IOException();
        }

        private String throwing() throws CloneNotSupportedException {
            throw new CloneNotSupportedException();
        }
    }
}
