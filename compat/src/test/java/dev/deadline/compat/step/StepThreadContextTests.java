package dev.deadline.compat.step;

import static dev.deadline.OnTimeout.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.Step;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** C37: whatever is bound to the thread is the same before the step, inside it and in its fallback. */
class StepThreadContextTests {

    private final ClassLoader original = Thread.currentThread().getContextClassLoader();

    @AfterEach
    void restore() {
        Thread.currentThread().setContextClassLoader(this.original);
        SecurityContextHolder.clearContext();
        MDC.clear();
    }

    @Test
    void keepsEverythingThatIsBoundToTheThread() throws Exception {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(App.class)
                        .web(WebApplicationType.NONE)
                        .run();
                URLClassLoader loader = new URLClassLoader(new URL[0], this.original)) {
            Thread.currentThread().setContextClassLoader(loader);
            MDC.put("id", "request-1");
            SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("user", "secret"));
            Flags flags = context.getBean(Flags.class);

            new TransactionTemplate(context.getBean(RecordingTransactionManager.class)).executeWithoutResult(status -> {
                ThreadContext before = ThreadContext.current();
                assertThat(before.transaction()).isEqualTo("outer");
                assertThat(flags.load()).isEqualTo("fallback");
                assertThat(flags.seen()).containsExactly(before, before);
                assertThat(ThreadContext.current()).isEqualTo(before);
            });
        }
    }

    record ThreadContext(Thread thread, String id, Object user, String transaction, ClassLoader loader) {

        static ThreadContext current() {
            return new ThreadContext(
                    Thread.currentThread(),
                    MDC.get("id"),
                    SecurityContextHolder.getContext().getAuthentication(),
                    TransactionSynchronizationManager.isActualTransactionActive() ? "outer" : "none",
                    Thread.currentThread().getContextClassLoader());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {

        @Bean
        RecordingTransactionManager transactionManager() {
            return new RecordingTransactionManager();
        }

        @Bean
        Flags flags() {
            return new Flags();
        }
    }

    static class Flags {

        private final List<ThreadContext> seen = new CopyOnWriteArrayList<>();

        public List<ThreadContext> seen() {
            return this.seen;
        }

        @Step(name = "flags", onTimeout = OPEN, timeout = "50ms", fallback = "noFlags")
        public String load() {
            this.seen.add(ThreadContext.current());
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException ex) {
                // As clients do that wrap whatever happens to them: what counts is that time was up.
                throw new IllegalStateException(ex);
            }
            return "never";
        }

        String noFlags() {
            this.seen.add(ThreadContext.current());
            return "fallback";
        }
    }
}
