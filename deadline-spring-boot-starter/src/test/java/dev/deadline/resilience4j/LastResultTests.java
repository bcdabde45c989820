package dev.deadline.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.engine.RealEngine;
import dev.deadline.engine.Section;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.retry.RetryRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Test;

/** A result that was to be retried and stands, as no pause fits: it is told as neither a success nor an error. */
class LastResultTests {

    private final Retry retry = ((RetryRegistry) new BoundedRegistries(false)
                    .bounded(RetryRegistry.of(RetryConfig.custom()
                            .maxAttempts(3)
                            .waitDuration(Duration.ofHours(9))
                            .retryOnResult("again"::equals)
                            .build())))
            .retry("some");

    private final List<String> events = new ArrayList<>();

    @Test
    void isNoSuccessOfABlockingCall() {
        try (RealEngine real = new RealEngine();
                Section section = real.engine().bind(real.request(Duration.ofHours(1)))) {
            this.retry.getEventPublisher().onEvent(event -> this.events.add(event.toString()));
            assertThat(this.retry.executeSupplier(() -> "again")).isEqualTo("again");
        }
        assertNothingTold();
    }

    @Test
    void isNoSuccessOfAStage() {
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        try (RealEngine real = new RealEngine();
                Section section = real.engine().bind(real.request(Duration.ofHours(1)))) {
            this.retry.getEventPublisher().onEvent(event -> this.events.add(event.toString()));
            assertThat(this.retry.executeCompletionStage(scheduler, () -> CompletableFuture.completedFuture("again")))
                    .isCompletedWithValue("again");
        } finally {
            scheduler.shutdownNow();
        }
        assertNothingTold();
    }

    private void assertNothingTold() {
        assertThat(this.events).isEmpty();
        assertThat(this.retry.getMetrics().getNumberOfSuccessfulCallsWithRetryAttempt())
                .isZero();
        assertThat(this.retry.getMetrics().getNumberOfFailedCallsWithRetryAttempt())
                .isZero();
    }
}
