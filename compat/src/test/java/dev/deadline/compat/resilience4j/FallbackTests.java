package dev.deadline.compat.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.retry.RetryRegistry;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fallback methods of retries, bulkheads and rate limiters answer as they do without deadlines, while there is time. */
@Timeout(60)
class FallbackTests {

    @AfterAll
    static void stopApplication() {
        NamedApplication.stop();
    }

    private static final Duration LONG = Duration.ofSeconds(60);

    private final FallbackCalls calls = NamedApplication.bean(FallbackCalls.class);

    private final CountedUpstream failing = CountedUpstream.failing();

    private static String retry(Duration pause) {
        return NamedApplication.bean(RetryRegistry.class)
                .retry(
                        NamedApplication.name(),
                        RetryConfig.custom().maxAttempts(2).waitDuration(pause).build())
                .getName();
    }

    private static Object answer(Callable<?> call) {
        NamedApplication.Outcome outcome = NamedApplication.within(LONG.dividedBy(2), call);
        assertThat(outcome.failure()).isNull();
        outcome.isAtOnce();
        return outcome.answer();
    }

    @Test
    void answersAfterTheLastAttempt() {
        String name = retry(Duration.ofMillis(1));

        assertThat(answer(() -> this.calls.retried(name, this.failing))).isEqualTo("instead of sick 2");
        assertThat(answer(() -> this.calls.retriedStage(name, this.failing))).isEqualTo("instead of sick 4");
        assertThat(answer(() -> this.calls.retriedMono(name, this.failing))).isEqualTo("instead of sick 6");
    }

    /** The failure of the upstream is what it answers for, whether it was the last attempt or there was no time for more. */
    @Test
    void answersWhenThePauseDoesNotFit() {
        String name = retry(LONG);

        assertThat(answer(() -> this.calls.retried(name, this.failing))).isEqualTo("instead of sick 1");
        assertThat(answer(() -> this.calls.retriedStage(name, this.failing))).isEqualTo("instead of sick 2");
        assertThat(answer(() -> this.calls.retriedMono(name, this.failing))).isEqualTo("instead of sick 3");
    }

    @Test
    void answersWhenABulkheadIsFull() {
        Bulkhead bulkhead = NamedApplication.bean(BulkheadRegistry.class)
                .bulkhead(
                        NamedApplication.name(),
                        BulkheadConfig.custom().maxConcurrentCalls(1).build());
        bulkhead.acquirePermission();

        assertThat(answer(() -> this.calls.queued(bulkhead.getName(), this.failing)))
                .isEqualTo("full");
        assertThat(this.failing.asked()).isZero();
    }

    @Test
    void answersWhenARateLimitIsReached() {
        RateLimiter limiter = NamedApplication.bean(RateLimiterRegistry.class)
                .rateLimiter(
                        NamedApplication.name(),
                        RateLimiterConfig.custom()
                                .limitForPeriod(1)
                                .limitRefreshPeriod(LONG)
                                .timeoutDuration(Duration.ZERO)
                                .build());
        assertThat(limiter.acquirePermission()).isTrue();

        assertThat(answer(() -> this.calls.limited(limiter.getName(), this.failing)))
                .isEqualTo("limited");
        assertThat(this.failing.asked()).isZero();
    }

    @Test
    void decoratorOfTheApplicationIsUsed() {
        String name = retry(Duration.ofMillis(1));

        assertThat(answer(() -> this.calls.retriedEnvelope(name, this.failing)))
                .isEqualTo(new FallbackCalls.Envelope("decorated: instead of sick 2"));
    }
}
