package dev.deadline.compat.step;

import static dev.deadline.OnTimeout.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.Step;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** The step is outside all other advice of the same method. */
class StepAdviceOrderTests {

    /** C32. */
    @Test
    void doesNotStoreAFallbackInTheCache() {
        run(Caching.class, context -> {
            Rates rates = context.getBean(Rates.class);
            rates.failing(true);
            assertThat(rates.rate("EUR")).isEqualTo("fallback");
            rates.failing(false);
            assertThat(rates.rate("EUR")).isEqualTo("rate 2");
            assertThat(rates.rate("EUR")).isEqualTo("rate 2");
            assertThat(rates.calls()).isEqualTo(2);
        });
    }

    @Test
    void rollsBackOnTheSameThreadBeforeTheFallbackRuns() {
        run(Transactions.class, context -> {
            RecordingTransactionManager transactions = context.getBean(RecordingTransactionManager.class);
            assertThat(context.getBean(Accounts.class).book()).isEqualTo("fallback");

            String thread = Thread.currentThread().getName();
            assertThat(transactions.events)
                    .containsExactly("begin on " + thread, "work", "rollback on " + thread, "fallback");
        });
    }

    @Test
    void commitsInsideTheStep() {
        run(Transactions.class, context -> {
            RecordingTransactionManager transactions = context.getBean(RecordingTransactionManager.class);
            context.getBean(Accounts.class).read();

            assertThat(transactions.deadlineAtCommit).isBetween(Duration.ofMillis(1), Duration.ofSeconds(30));
        });
    }

    @Test
    void servesTheFallbackOfAnAsynchronousMethodThatCouldNotStart() {
        run(Asynchronous.class, context -> {
            // Nothing but the step decides that: inside the advice for @Async it would do so on another thread.
            Mailer mailer = context.getBean(Mailer.class);
            assertThat(mailer.neverStarts().get(20, TimeUnit.SECONDS)).isEqualTo("fallback");
            assertThat(mailer.fallbackThread()).isSameAs(Thread.currentThread());
            assertThat(mailer.hasStarted()).isFalse();
        });
    }

    @Test
    void returnsTheResultOfAnAsynchronousMethod() {
        run(Asynchronous.class, context -> {
            Mailer mailer = context.getBean(Mailer.class);
            String thread = mailer.send().get(20, TimeUnit.SECONDS);
            assertThat(thread).isNotEqualTo(Thread.currentThread().getName());
        });
    }

    @FunctionalInterface
    private interface Check {

        void accept(ConfigurableApplicationContext context) throws Exception;
    }

    private static void run(Class<?> configuration, Check check) {
        SpringApplicationBuilder application = new SpringApplicationBuilder(configuration).web(WebApplicationType.NONE);
        try (ConfigurableApplicationContext context = application.run("--spring.main.banner-mode=off")) {
            check.accept(context);
        } catch (RuntimeException ex) {
            throw ex;
        } catch (Exception ex) {
            throw new IllegalStateException(ex);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCaching
    static class Caching {

        @Bean
        Rates rates() {
            return new Rates();
        }
    }

    static class Rates {

        private final AtomicInteger calls = new AtomicInteger();

        private volatile boolean failing;

        public void failing(boolean failing) {
            this.failing = failing;
        }

        public int calls() {
            return this.calls.get();
        }

        @Cacheable("rates")
        @Step(name = "rates", onTimeout = OPEN, fallback = "noRate")
        public String rate(String currency) throws IOException {
            int call = this.calls.incrementAndGet();
            if (this.failing) {
                throw new IOException();
            }
            return "rate " + call;
        }

        String noRate(String currency) {
            return "fallback";
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableTransactionManagement
    static class Transactions {

        @Bean
        RecordingTransactionManager transactionManager() {
            return new RecordingTransactionManager();
        }

        @Bean
        Accounts accounts(RecordingTransactionManager transactions) {
            return new Accounts(transactions.events);
        }
    }

    static class Accounts {

        private final List<String> events;

        Accounts(List<String> events) {
            this.events = events;
        }

        @Transactional(rollbackFor = Exception.class)
        @Step(name = "accounts", onTimeout = OPEN, timeout = "50ms", fallback = "noBooking")
        public String book() throws InterruptedException {
            this.events.add("work");
            new CountDownLatch(1).await();
            return "never";
        }

        String noBooking() {
            this.events.add("fallback");
            return "fallback";
        }

        @Transactional
        @Step(name = "read", onTimeout = OPEN, timeout = "30s")
        public void read() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableAsync
    static class Asynchronous {

        @Bean
        Mailer mailer() {
            return new Mailer();
        }
    }

    static class Mailer {

        private volatile boolean started;

        private volatile Thread fallbackThread;

        public boolean hasStarted() {
            return this.started;
        }

        public Thread fallbackThread() {
            return this.fallbackThread;
        }

        @Async
        @Step(name = "mail", onTimeout = OPEN, timeout = "30s", fallback = "notSent")
        public CompletableFuture<String> send() {
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }

        @Async
        @Step(name = "late", onTimeout = OPEN, timeout = "1s", minimum = "2s", fallback = "notSent")
        public CompletableFuture<String> neverStarts() {
            this.started = true;
            return CompletableFuture.completedFuture("sent");
        }

        CompletableFuture<String> notSent() {
            this.fallbackThread = Thread.currentThread();
            return CompletableFuture.completedFuture("fallback");
        }
    }
}
