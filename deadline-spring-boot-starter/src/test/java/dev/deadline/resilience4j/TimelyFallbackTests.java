package dev.deadline.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.RealEngine;
import dev.deadline.engine.Section;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.retry.RetryRegistry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who cancels a stage that has a fallback cancels what it stands for. */
@Timeout(30)
class TimelyFallbackTests {

    private final RealEngine real = new RealEngine();

    private final Section request = DeadlineEngine.carry(this.real.request(Duration.ofHours(1)));

    private final BoundedRegistries registries = new BoundedRegistries(false);

    private final CompletableFuture<String> upstream = new CompletableFuture<>();

    private final CompletableFuture<String> fallback = new CompletableFuture<>();

    private final AtomicInteger fallbacks = new AtomicInteger();

    @AfterEach
    void close() {
        this.request.close();
        this.real.close();
    }

    private CompletableFuture<String> call(Supplier<CompletionStage<String>> guarded) throws Throwable {
        return InsteadOfStage.call(guarded, () -> {
            this.fallbacks.incrementAndGet();
            return this.fallback;
        });
    }

    @Test
    void cancelsTheStage() throws Throwable {
        CompletableFuture<String> answer = call(() -> this.upstream);

        answer.cancel(true);

        assertThat(this.upstream).isCancelled();
        assertThat(this.fallbacks).as("asked for an answer nobody waits for").hasValue(0);
    }

    @Test
    void cancelsTheStageOfTheFallbackWhichHasBegun() throws Throwable {
        CompletableFuture<String> answer = call(() -> this.upstream);
        this.upstream.completeExceptionally(new IllegalArgumentException("sick"));
        assertThat(this.fallbacks).hasValue(1);

        answer.cancel(true);

        assertThat(this.fallback).isCancelled();
    }

    @Test
    void cancelsTheStageOfTheFallbackThatIsBeingCalled() throws Throwable {
        CompletableFuture<CompletableFuture<String>> answer = new CompletableFuture<>();
        answer.complete(InsteadOfStage.call(() -> this.upstream, () -> {
            answer.join().cancel(true);
            return this.fallback;
        }));

        this.upstream.completeExceptionally(new IllegalArgumentException("sick"));

        assertThat(this.fallback).isCancelled();
    }

    @Test
    void answersAndFailsAsTheStagesDo() throws Throwable {
        CompletableFuture<String> answered = call(() -> CompletableFuture.completedFuture("answer"));
        assertThat(answered).isCompletedWithValue("answer");

        CompletableFuture<String> recovered = call(() -> this.upstream);
        this.upstream.completeExceptionally(new IllegalArgumentException("sick"));
        assertThat(recovered).isNotDone();
        this.fallback.completeExceptionally(new IllegalStateException("sick as well"));
        assertThat(recovered)
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .withCauseInstanceOf(IllegalStateException.class);
    }

    /** The pause goes on in the scheduler, but nothing follows it. */
    @Test
    void attemptsNothingMore() throws Throwable {
        Retry retry = ((RetryRegistry) this.registries.bounded(RetryRegistry.of(RetryConfig.custom()
                        .maxAttempts(5)
                        .waitDuration(Duration.ofMillis(200))
                        .build())))
                .retry("some");
        AtomicInteger attempts = new AtomicInteger();
        ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(1);
        try {
            CompletableFuture<String> answer = call(() -> retry.executeCompletionStage(scheduler, () -> {
                attempts.incrementAndGet();
                return CompletableFuture.failedFuture(new IllegalArgumentException("sick"));
            }));
            assertThat(attempts).hasValue(1);

            answer.cancel(true);

            await().until(() -> scheduler.getCompletedTaskCount() == 1);
            assertThat(scheduler.getQueue()).isEmpty();
            assertThat(attempts).hasValue(1);
            assertThat(this.fallbacks).hasValue(0);
        } finally {
            scheduler.shutdownNow();
        }
    }

    @Test
    void givesTheTrialCallOfABreakerBack() throws Throwable {
        CircuitBreaker breaker = ((CircuitBreakerRegistry)
                        this.registries.bounded(CircuitBreakerRegistry.of(CircuitBreakerConfig.custom()
                                .permittedNumberOfCallsInHalfOpenState(1)
                                .build())))
                .circuitBreaker("some");
        breaker.transitionToOpenState();
        breaker.transitionToHalfOpenState();
        CompletableFuture<String> answer = call(() -> breaker.executeCompletionStage(() -> this.upstream));
        assertThat(HalfOpen.permits(breaker)).isZero();

        answer.cancel(true);

        assertThat(HalfOpen.permits(breaker)).isOne();
        assertThat(this.upstream).isCancelled();
        assertThat(this.fallbacks).hasValue(0);
    }
}
