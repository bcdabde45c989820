package dev.deadline.compat.step;

import static dev.deadline.OnTimeout.CLOSED;
import static dev.deadline.OnTimeout.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.deadline.Deadline;
import dev.deadline.Deadlines;
import dev.deadline.Reason;
import dev.deadline.Step;
import dev.deadline.StepFailedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.retry.annotation.Backoff;
import org.springframework.retry.annotation.EnableRetry;
import org.springframework.retry.annotation.Retryable;
import org.springframework.retry.backoff.BackOffInterruptedException;

/** The step is outside the retries of spring-retry, so that they spend from its one time. */
@Timeout(60)
class StepRetryTests {

    private static ConfigurableApplicationContext context;

    private static Retrying retrying;

    @BeforeAll
    static void start() {
        context = new SpringApplicationBuilder(App.class)
                .web(WebApplicationType.NONE)
                .run("--spring.main.banner-mode=off");
        retrying = context.getBean(Retrying.class);
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @BeforeEach
    void forgetAttempts() {
        retrying.remaining().clear();
    }

    @AfterEach
    void leavesNoInterruptBehind() {
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void givesAllAttemptsTogetherOneTime() throws Exception {
        assertThat(retrying.fail()).isEqualTo("fallback");

        List<Duration> remaining = retrying.remaining();
        assertThat(remaining).hasSize(3);
        assertThat(remaining.get(1)).isLessThanOrEqualTo(remaining.get(0).minusMillis(20));
        assertThat(remaining.get(2)).isLessThanOrEqualTo(remaining.get(1).minusMillis(20));
    }

    /** C34 and C37, for the backoff of a retry. */
    @Test
    void endsABackoffWithThePolicyOfTheStep() throws Exception {
        assertThat(retrying.open()).isEqualTo("fallback: upstream_timeout");
        assertThat(retrying.remaining()).hasSize(1);
    }

    @Test
    void refusesWhereThePolicyIsToRefuse() {
        assertThatExceptionOfType(StepFailedException.class)
                .isThrownBy(retrying::closed)
                .satisfies(failure -> {
                    assertThat(failure.reason()).isEqualTo(Reason.UPSTREAM_TIMEOUT);
                    assertThat(failure.waited()).isBetween(Duration.ofMillis(100), Duration.ofSeconds(2));
                });
        assertThat(retrying.remaining()).hasSize(1);
    }

    /** An attempt that was cut looks like one that failed, but its backoff is cut in turn. */
    @Test
    void startsNoAttemptAfterOneThatWasCut() throws Exception {
        assertThat(retrying.hang()).isEqualTo("fallback: upstream_timeout");
        assertThat(retrying.remaining()).hasSize(1);
    }

    @Test
    void knowsTheInterruptOfABackoff() {
        Throwable failure = new BackOffInterruptedException("Thread interrupted while sleeping");

        assertThat(Deadlines.isCancellation(failure)).isTrue();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableRetry
    static class App {

        @Bean
        Retrying retrying() {
            return new Retrying();
        }
    }

    static class Retrying {

        private final List<Duration> remaining = new ArrayList<>();

        public List<Duration> remaining() {
            return this.remaining;
        }

        @Retryable(maxAttempts = 3, backoff = @Backoff(delay = 20))
        @Step(name = "fail", onTimeout = OPEN, timeout = "30s", fallback = "fallback")
        public String fail() throws IOException {
            return attempt();
        }

        @Retryable(maxAttempts = 3, backoff = @Backoff(delay = 60_000))
        @Step(name = "open", onTimeout = OPEN, timeout = "100ms", fallback = "explained")
        public String open() throws IOException {
            return attempt();
        }

        @Retryable(maxAttempts = 3, backoff = @Backoff(delay = 60_000))
        @Step(name = "closed", onTimeout = CLOSED, timeout = "100ms")
        public String closed() throws IOException {
            return attempt();
        }

        @Retryable(maxAttempts = 3, backoff = @Backoff(delay = 60_000))
        @Step(name = "hang", onTimeout = OPEN, timeout = "100ms", fallback = "explained")
        public String hang() throws InterruptedException {
            this.remaining.add(Deadline.current().remaining());
            new CountDownLatch(1).await();
            return "never";
        }

        private String attempt() throws IOException {
            this.remaining.add(Deadline.current().remaining());
            throw new IOException();
        }

        String fallback() {
            return "fallback";
        }

        String explained(StepFailedException failure) {
            return "fallback: " + failure.reason().code();
        }
    }
}
