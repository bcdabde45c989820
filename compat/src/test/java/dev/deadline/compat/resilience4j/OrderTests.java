package dev.deadline.compat.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.deadline.DeadlineExceededException;
import dev.deadline.Deadlines;
import dev.deadline.compat.webclient.FaultServer;
import dev.deadline.compat.webclient.Repeated;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;

/** In whatever order the application has put the guards. */
@EnabledIfSystemProperty(named = "deadline.slow-tests", matches = "true")
@Timeout(120)
class OrderTests {

    private static final Duration SHORT = Duration.ofMillis(150);

    private static final Duration LONG = Duration.ofSeconds(10);

    private record Ended(Throwable failure, Duration after) {}

    private static Ended endOf(ConfigurableApplicationContext application, CallForm form, Duration budget, String url) {
        GuardedCalls calls = application.getBean(GuardedCalls.class);
        try (Deadlines.Started started = application.getBean(Deadlines.class).start(budget)) {
            long start = System.nanoTime();
            Throwable failure = catchThrowable(() -> GuardedCalls.answer(calls, form, url));
            return new Ended(failure, Duration.ofNanos(System.nanoTime() - start));
        }
    }

    /** The first turns everything around, the second has the retry inside the breaker, and both outside of the rest. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "resilience4j.bulkhead.bulkhead-aspect-order=2147483640,"
                        + "resilience4j.ratelimiter.rate-limiter-aspect-order=2147483641,"
                        + "resilience4j.circuitbreaker.circuit-breaker-aspect-order=2147483642,"
                        + "resilience4j.retry.retry-aspect-order=2147483643",
                "resilience4j.circuitbreaker.circuit-breaker-aspect-order=1,resilience4j.retry.retry-aspect-order=2"
            })
    void everythingIsBoundedInEveryOrder(String orders) throws Exception {
        Stream<String> guards = Stream.of(
                "resilience4j.bulkhead.instances.guarded.max-concurrent-calls=1",
                "resilience4j.bulkhead.instances.guarded.max-wait-duration=60s",
                "resilience4j.retry.instances.guarded.max-attempts=3",
                "resilience4j.retry.instances.guarded.wait-duration=60s",
                "resilience4j.circuitbreaker.instances.guarded.minimum-number-of-calls=100");
        String[] properties =
                Stream.concat(guards, Arrays.stream(orders.split(","))).toArray(String[]::new);
        try (ConfigurableApplicationContext application = ResilienceApplication.start(properties);
                FaultServer upstream = new FaultServer()) {
            Bulkhead bulkhead = application.getBean(BulkheadRegistry.class).bulkhead("guarded");
            for (CallForm form : CallForm.values()) {
                GuardedCalls.answer(application.getBean(GuardedCalls.class), form, upstream.url("/ok"));
                int before = upstream.requests().size();

                bulkhead.acquirePermission();
                isOver(endOf(application, form, SHORT, upstream.url("/ok")));
                bulkhead.onComplete();
                assertThat(upstream.requests()).hasSize(before);

                Ended failed = endOf(application, form, LONG, upstream.url("/unavailable"));
                assertThat(failed.failure()).hasMessageContaining("503");
                assertThat(failed.after()).isLessThan(LONG.dividedBy(2));
                assertThat(upstream.requests()).hasSize(before + 1);

                Repeated.until(() -> {
                    isOver(endOf(application, form, SHORT, upstream.url("/silent")));
                    return upstream.requests().size() > before + 1;
                });
                assertThat(upstream.requests()).hasSize(before + 2);
                await().until(() -> bulkhead.getMetrics().getAvailableConcurrentCalls() == 1);
            }
        }
    }

    private static void isOver(Ended ended) {
        assertThat(ended.failure()).isInstanceOf(DeadlineExceededException.class);
        assertThat(ended.after()).isLessThan(SHORT.plusSeconds(2));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
}
