package dev.deadline.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.DeadlineExceededException;
import dev.deadline.Reason;
import dev.deadline.Refusal;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadFullException;
import io.github.resilience4j.bulkhead.ThreadPoolBulkhead;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RequestNotPermitted;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Exceptions;

class UpstreamFailuresTests {

    private final UpstreamFailures failures = new UpstreamFailures();

    @ParameterizedTest
    @MethodSource("refusals")
    void tellsRefusalsApart(RuntimeException thrown, Refusal refusal) {
        assertThat(UpstreamFailures.refusal(thrown)).isEqualTo(refusal);
        assertThat(this.failures.isUpstreamFailure(thrown)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void looksThroughMereWrappers(RuntimeException thrown, Refusal refusal) {
        assertThat(Stream.of(
                        new CompletionException(thrown),
                        new ExecutionException(thrown),
                        new UndeclaredThrowableException(thrown),
                        Exceptions.propagate(new ExecutionException(new CompletionException(thrown)))))
                .allSatisfy(wrapped -> {
                    assertThat(UpstreamFailures.refusal(wrapped)).isEqualTo(refusal);
                    assertThat(this.failures.isUpstreamFailure(wrapped)).isTrue();
                });
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void leavesAloneWhatMeansSomethingItself(RuntimeException thrown, Refusal refusal) {
        assertThat(UpstreamFailures.refusal(new IllegalStateException(thrown))).isNull();
        assertThat(UpstreamFailures.refusal(
                        new DeadlineExceededException(null, Reason.BUDGET_EXHAUSTED, Duration.ZERO, false, thrown)))
                .isNull();
    }

    @Test
    void findsNoRefusalInOtherFailures() {
        assertThat(Stream.of(
                        new IOException("reset"),
                        new UncheckedIOException(new IOException("reset")),
                        new TimeoutException("slow"),
                        new IllegalStateException("own"),
                        new CompletionException("no cause", null)))
                .allSatisfy(
                        failure -> assertThat(UpstreamFailures.refusal(failure)).isNull());
        assertThat(UpstreamFailures.refusal(null)).isNull();
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                Arguments.of(
                        CallNotPermittedException.createCallNotPermittedException(CircuitBreaker.ofDefaults("geo")),
                        Refusal.BREAKER_OPEN),
                Arguments.of(
                        BulkheadFullException.createBulkheadFullException(Bulkhead.ofDefaults("geo")),
                        Refusal.BULKHEAD_FULL),
                Arguments.of(
                        BulkheadFullException.createBulkheadFullException(ThreadPoolBulkhead.ofDefaults("geo")),
                        Refusal.BULKHEAD_FULL),
                Arguments.of(
                        RequestNotPermitted.createRequestNotPermitted(RateLimiter.ofDefaults("geo")),
                        Refusal.RATE_LIMITED));
    }
}
