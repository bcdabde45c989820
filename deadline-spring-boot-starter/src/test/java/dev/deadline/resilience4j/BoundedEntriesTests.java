package dev.deadline.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deadline.Reason;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.RealEngine;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.bulkhead.ThreadPoolBulkhead;
import io.github.resilience4j.bulkhead.ThreadPoolBulkheadRegistry;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.github.resilience4j.ratelimiter.internal.SemaphoreBasedRateLimiter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class BoundedEntriesTests {

    private final RealEngine engine = new RealEngine();

    private final BoundedRegistries registries = new BoundedRegistries(false);

    @AfterEach
    void close() {
        this.engine.close();
    }

    @RepeatedTest(10)
    void breakerIsNotToldOfTaskThatWasInterruptedForDepartedClient() throws Exception {
        CircuitBreakerRegistry breakers =
                (CircuitBreakerRegistry) this.registries.bounded(CircuitBreakerRegistry.ofDefaults());
        ThreadPoolBulkheadRegistry bulkheads =
                (ThreadPoolBulkheadRegistry) this.registries.bounded(ThreadPoolBulkheadRegistry.ofDefaults());
        CircuitBreaker breaker = breakers.circuitBreaker("upstream");
        ThreadPoolBulkhead bulkhead = bulkheads.bulkhead("upstream");
        CountDownLatch begun = new CountDownLatch(1);
        Scope request = this.engine.request(Duration.ofMinutes(1));
        CompletionStage<Object> stage;
        try (Section section = DeadlineEngine.carry(request)) {
            stage = breaker.executeCompletionStage(() -> bulkhead.submit(() -> {
                begun.countDown();
                new CountDownLatch(1).await();
                return "never";
            }));
        }
        begun.await();

        request.cancel(Reason.CLIENT_ABORT);

        CompletableFuture<Object> ended = stage.toCompletableFuture();
        await().until(ended::isDone);
        assertThat(ended).isCompletedExceptionally();
        assertThat(breaker.getMetrics().getNumberOfFailedCalls()).isZero();
    }

    @Test
    void breakerIsNotToldOfStageThatFailsForDepartedClient() {
        CircuitBreakerRegistry breakers =
                (CircuitBreakerRegistry) this.registries.bounded(CircuitBreakerRegistry.ofDefaults());
        CircuitBreaker breaker = breakers.circuitBreaker("upstream");
        Scope request = this.engine.request(Duration.ofMinutes(1));
        CompletableFuture<Object> work = new CompletableFuture<>();
        // As a client does that ends its own call.
        request.onCancel(reason -> work.completeExceptionally(new java.io.IOException("closed")));
        CompletionStage<Object> stage;
        try (Section section = DeadlineEngine.carry(request)) {
            stage = breaker.executeCompletionStage(() -> work);
        }

        request.cancel(Reason.CLIENT_ABORT);

        await().until(stage.toCompletableFuture()::isDone);
        assertThat(breaker.getMetrics().getNumberOfFailedCalls()).isZero();
    }

    @Test
    void forgetsReservationWhosePermitHasCome() {
        RateLimiterRegistry limiters =
                (RateLimiterRegistry) this.registries.bounded(RateLimiterRegistry.of(RateLimiterConfig.custom()
                        .limitForPeriod(1)
                        .limitRefreshPeriod(Duration.ofMillis(500))
                        .timeoutDuration(Duration.ofSeconds(10))
                        .build()));
        RateLimiter limiter = limiters.rateLimiter("upstream");
        Scope request = this.engine.request(Duration.ofMinutes(1));
        try (Section section = DeadlineEngine.carry(request)) {
            limiter.reservePermission();
            assertThat(limiter.reservePermission()).isPositive();
            assertThat(this.engine.hasHooks(request)).isTrue();
        }
        await().until(() -> !this.engine.hasHooks(request));
    }

    @Test
    void cutsStageAfterTheThreadThatBeganItHasLeft() {
        BulkheadRegistry bulkheads = (BulkheadRegistry) this.registries.bounded(BulkheadRegistry.ofDefaults());
        Bulkhead bulkhead = bulkheads.bulkhead("upstream");
        Scope request = this.engine.request(Duration.ofMinutes(1));
        CompletableFuture<Object> work = new CompletableFuture<>();
        CompletionStage<Object> stage;
        try (Section section = DeadlineEngine.carry(request)) {
            stage = bulkhead.executeCompletionStage(() -> work);
        }
        assertThat(bulkhead.getMetrics().getAvailableConcurrentCalls()).isEqualTo(24);

        request.cancel(Reason.CLIENT_ABORT);

        await().until(stage.toCompletableFuture()::isDone);
        await().until(() -> bulkhead.getMetrics().getAvailableConcurrentCalls() == 25);
        await().until(work::isCancelled);
    }

    @Test
    void limiterThatTakesNoReservationsWaitsByItself() {
        RateLimiter limiter = new BoundedRateLimiter(new SemaphoreBasedRateLimiter(
                "upstream",
                RateLimiterConfig.custom()
                        .limitForPeriod(1)
                        .limitRefreshPeriod(Duration.ofMillis(100))
                        .timeoutDuration(Duration.ofSeconds(10))
                        .build()));
        try (Section section = DeadlineEngine.carry(this.engine.request(Duration.ofMinutes(1)))) {
            assertThat(limiter.acquirePermission()).isTrue();
            assertThat(limiter.acquirePermission()).isTrue();
        }
    }
}
