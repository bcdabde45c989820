package dev.deadline.compat.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.DeadlineExceededException;
import dev.deadline.Deadlines;
import dev.deadline.Reason;
import dev.deadline.StepFailedException;
import dev.deadline.Steps;
import dev.deadline.compat.webclient.WebClientApplication;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** One application for the tests of a class, with {@link NamedCalls} that are guarded by what each test puts into the registries. */
final class NamedApplication {

    private static final AtomicInteger NAMES = new AtomicInteger();

    // Null between classes, for others look whether an application is running. Tests run on one thread.
    private static ConfigurableApplicationContext context;

    private NamedApplication() {}

    /** How a call ended, and when. */
    record Outcome(Object answer, Throwable failure, Duration after) {

        /** Whose time it was, by the exception of a step or of a call outside one. */
        Reason reason() {
            if (this.failure instanceof StepFailedException step) {
                return step.reason();
            }
            assertThat(this.failure).isInstanceOf(DeadlineExceededException.class);
            return ((DeadlineExceededException) this.failure).reason();
        }

        /** Long before any of the times that the tests configure. */
        void isAtOnce() {
            assertThat(this.after).isLessThan(Duration.ofSeconds(4));
        }
    }

    static <T> T bean(Class<T> type) {
        if (context == null) {
            context = WebClientApplication.start(Configured.class);
        }
        return context.getBean(type);
    }

    /** To be called after the last test of a class. */
    static void stop() {
        if (context != null) {
            context.close();
            context = null;
        }
    }

    /** A name that nothing else has. */
    static String name() {
        return "named-" + NAMES.incrementAndGet();
    }

    /** Makes a call that has so much time, waits for what comes of it, and looks that no interrupt is left over. */
    static Outcome within(Duration budget, Callable<?> call) {
        try (Deadlines.Started started = bean(Deadlines.class).start(budget)) {
            return outcome(call);
        } finally {
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
    }

    static Outcome outcome(Callable<?> call) {
        long start = System.nanoTime();
        Object answer = null;
        Throwable failure = null;
        try {
            answer = GuardedCalls.awaited(call.call());
        } catch (Throwable ex) {
            failure = ex;
        }
        return new Outcome(answer, failure, Duration.ofNanos(System.nanoTime() - start));
    }

    /** The same call as a step. */
    static Callable<?> inStep(Callable<?> call) {
        return () -> bean(Steps.class).closed("named").call(call::call);
    }

    static Object expected(CallForm form, String answer) {
        return (form == CallForm.FLUX) ? List.of(answer) : answer;
    }

    /** All that the exception says, with its causes. */
    static String told(Throwable failure) {
        StringBuilder told = new StringBuilder();
        for (Throwable said = failure; said != null; said = said.getCause()) {
            told.append(said).append('\n');
        }
        return told.toString();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Configured {

        @Bean
        NamedCalls.Retried retried() {
            return new NamedCalls.Retried();
        }

        @Bean
        NamedCalls.Queued queued() {
            return new NamedCalls.Queued();
        }

        @Bean
        NamedCalls.Limited limited() {
            return new NamedCalls.Limited();
        }

        @Bean
        NamedCalls.Broken broken() {
            return new NamedCalls.Broken();
        }

        @Bean
        ThrowingStages throwingStages() {
            return new ThrowingStages();
        }

        @Bean
        TimedCalls timedCalls() {
            return new TimedCalls();
        }

        @Bean
        FallbackCalls fallbackCalls() {
            return new FallbackCalls();
        }

        @Bean
        FallbackCalls.EnvelopeDecorator envelopeDecorator() {
            return new FallbackCalls.EnvelopeDecorator();
        }
    }
}
