package dev.deadline.compat.step;

import static dev.deadline.OnTimeout.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.deadline.Deadline;
import dev.deadline.Deadlines;
import dev.deadline.Step;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.Advised;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.resilience.InvocationRejectedException;
import org.springframework.resilience.annotation.ConcurrencyLimit;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;

/** The step is outside Spring 7's own advice for resilience, which puts itself outermost too. */
class StepResilienceTests {

    private static ConfigurableApplicationContext context;

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

    @Test
    void givesAllAttemptsTogetherOneTime() throws Exception {
        Retrying retrying = context.getBean(Retrying.class);
        assertThat(retrying.fail()).isEqualTo("fallback");

        assertThat(retrying.remaining()).hasSize(3).isSortedAccordingTo((a, b) -> b.compareTo(a));
        assertThat(retrying.remaining().get(2))
                .isLessThanOrEqualTo(retrying.remaining().get(0).minusMillis(40));
    }

    /** C34 and C37, for the attempts of a retry. */
    @Test
    void startsNoAttemptWhenTheStepIsOver() throws Exception {
        Retrying retrying = context.getBean(Retrying.class);
        assertThat(retrying.hang()).isEqualTo("fallback");

        assertThat(retrying.threads()).containsOnly(Thread.currentThread()).hasSize(1);
    }

    @Test
    @Timeout(30)
    void waitsForAPermitInsideTheStep() throws Exception {
        Limited limited = context.getBean(Limited.class);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch firstEntered = new CountDownLatch(1);
        CountDownLatch secondEntered = new CountDownLatch(1);
        Thread first = new Thread(() -> limited.hold(firstEntered, release));
        first.start();
        try {
            firstEntered.await();
            assertThat(limited.hold(secondEntered, release)).isEqualTo("fallback");
            assertThat(secondEntered.getCount()).isEqualTo(1);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        } finally {
            release.countDown();
            first.join();
        }
        // The wait that was cut took no permit with it: the only one is free again.
        assertThat(limited.hold(secondEntered, release)).isEqualTo("held");
        assertThat(secondEntered.getCount()).isZero();
    }

    @Test
    @Timeout(30)
    void recognisesACutWaitForAPermit() throws Exception {
        Limited limited = context.getBean(Limited.class);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch entered = new CountDownLatch(1);
        Thread first = new Thread(() -> limited.holdUnbounded(entered, release));
        first.start();
        try {
            entered.await();
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(InvocationRejectedException.class)
                    .isThrownBy(() -> limited.holdUnbounded(new CountDownLatch(1), release))
                    .matches(Deadlines::isCancellation);
        } finally {
            Thread.interrupted();
            release.countDown();
            first.join();
        }
    }

    /** Whatever their order, these add themselves before existing advice, and the step after that before them. */
    @ParameterizedTest
    @ValueSource(classes = {Earliest.class, Latest.class})
    @ExtendWith(OutputCaptureExtension.class)
    void staysOutsideWhateverTheOrder(Class<?> orders, CapturedOutput output) {
        SpringApplicationBuilder application = new SpringApplicationBuilder(orders, Services.class)
                .web(WebApplicationType.NONE)
                .properties("spring.main.banner-mode=off");
        try (ConfigurableApplicationContext ordered = application.run()) {
            Advised retrying = (Advised) ordered.getBean(Retrying.class);
            assertThat(retrying.getAdvisors()[0].getAdvice().getClass().getName())
                    .isEqualTo("dev.deadline.aop.StepInterceptor");
            assertThat(output).doesNotContain("is outside of @Step");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableResilientMethods
    @Import(Services.class)
    static class App {}

    @Configuration(proxyBeanMethods = false)
    @EnableResilientMethods(order = Ordered.HIGHEST_PRECEDENCE)
    static class Earliest {}

    @Configuration(proxyBeanMethods = false)
    @EnableResilientMethods(order = Ordered.LOWEST_PRECEDENCE)
    static class Latest {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Services {

        @Bean
        Retrying retrying() {
            return new Retrying();
        }

        @Bean
        Limited limited() {
            return new Limited();
        }
    }

    static class Retrying {

        private final List<Duration> remaining = new CopyOnWriteArrayList<>();

        private final List<Thread> threads = new CopyOnWriteArrayList<>();

        public List<Duration> remaining() {
            return this.remaining;
        }

        public List<Thread> threads() {
            return this.threads;
        }

        @Retryable(maxRetries = 2, delay = 20)
        @Step(name = "fail", onTimeout = OPEN, timeout = "30s", fallback = "fallback")
        public String fail() throws IOException {
            this.remaining.add(Deadline.current().remaining());
            throw new IOException();
        }

        @Retryable(maxRetries = 2, delay = 60_000)
        @Step(name = "hang", onTimeout = OPEN, timeout = "100ms", fallback = "fallback")
        public String hang() throws IOException {
            this.threads.add(Thread.currentThread());
            throw new IOException();
        }

        String fallback() {
            return "fallback";
        }
    }

    static class Limited {

        @ConcurrencyLimit(1)
        public String holdUnbounded(CountDownLatch entered, CountDownLatch release) {
            return keep(entered, release);
        }

        @ConcurrencyLimit(1)
        @Step(name = "limited", onTimeout = OPEN, timeout = "200ms", fallback = "tooMany")
        public String hold(CountDownLatch entered, CountDownLatch release) {
            return keep(entered, release);
        }

        private static String keep(CountDownLatch entered, CountDownLatch release) {
            entered.countDown();
            while (true) {
                try {
                    release.await();
                    return "held";
                } catch (InterruptedException ex) {
                    // Goes on, and keeps the only permit, until it is released.
                }
            }
        }

        String tooMany(CountDownLatch entered, CountDownLatch release) {
            return "fallback";
        }
    }
}
