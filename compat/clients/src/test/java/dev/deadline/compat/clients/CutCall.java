package dev.deadline.compat.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.Reason;
import dev.deadline.Steps;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Configuration;

/** A call that never answers, made in a step that has 200 ms, and when its thread was back. */
record CutCall(String answer, Duration taken, boolean interrupted) {

    static final Duration TIMEOUT = Duration.ofMillis(200);

    // What is allowed on a machine that is busy with other things; the clients' own limits are much longer.
    private static final Duration LATE = Duration.ofSeconds(2);

    private static final Steps STEPS = new SpringApplicationBuilder(Application.class)
            .web(WebApplicationType.NONE)
            .properties(
                    "spring.main.banner-mode=off",
                    "spring.autoconfigure.exclude=org.springframework.boot.autoconfigure.mongo.MongoAutoConfiguration")
            .run()
            .getBean(Steps.class);

    static CutCall of(Threads threads, Callable<?> call) throws Exception {
        return on(threads, () -> {
            long start = System.nanoTime();
            String answer = STEPS.open("call")
                    .timeout(TIMEOUT)
                    .call(
                            () -> String.valueOf(call.call()),
                            failure -> failure.reason().code());
            Duration taken = Duration.ofNanos(System.nanoTime() - start);
            return new CutCall(answer, taken, Thread.currentThread().isInterrupted());
        });
    }

    /** Makes a call without a step. */
    static <T> T on(Threads threads, Callable<T> call) throws Exception {
        ExecutorService executor = threads.start();
        try {
            return executor.submit(call).get(30, TimeUnit.SECONDS);
        } finally {
            executor.shutdownNow();
        }
    }

    /** The thread was back at the end of the step's time, and is as it was. */
    void assertBackAtTheDeadline() {
        assertThat(this.answer).isEqualTo(Reason.UPSTREAM_TIMEOUT.code());
        assertThat(this.taken).isBetween(TIMEOUT, TIMEOUT.plus(LATE));
        assertThat(this.interrupted).isFalse();
    }

    /** The thread was back only when the client's own limit ended the call; the answer was decided in time all the same. */
    void assertBackAfter(Duration own) {
        assertThat(this.answer).isEqualTo(Reason.UPSTREAM_TIMEOUT.code());
        assertThat(this.taken).isGreaterThanOrEqualTo(own);
        assertThat(this.interrupted).isFalse();
    }

    /** On a platform thread as the one, on a virtual one as the other. */
    void assertBackAfterUnlessVirtual(Duration own, Threads threads) {
        if (threads == Threads.VIRTUAL) {
            assertBackAtTheDeadline();
        } else {
            assertBackAfter(own);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
