package dev.deadline.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.deadline.DeadlineExceededException;
import dev.deadline.Reason;
import dev.deadline.engine.RealEngine;
import dev.deadline.engine.Scope;
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

/** What a retry tells when no pause fits, and what it attempts when there is no time at all. */
class BoundedRetryTests {

    private final Retry retry = ((RetryRegistry) new BoundedRegistries(false)
                    .bounded(RetryRegistry.of(RetryConfig.custom()
                            .maxAttempts(3)
                            .waitDuration(Duration.ofHours(9))
                            .retryOnResult("again"::equals)
                            .build())))
            .retry("some");

    private final List<String> events = new ArrayList<>();

    @Test
    void tellsOfNoSuccessWhenTheLastResultOfACallStands() {
        try (RealEngine real = new RealEngine();
                Section section = real.engine().bind(real.request(Duration.ofHours(1)))) {
            this.retry.getEventPublisher().onEvent(event -> this.events.add(event.toString()));
            assertThat(this.retry.executeSupplier(() -> "again")).isEqualTo("again");
        }
        assertNothingTold();
    }

    @Test
    void tellsOfNoSuccessWhenTheLastResultOfAStageStands() {
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

    @Test
    void attemptsNothingWhenTimeIsUpAlready() {
        List<String> attempts = new ArrayList<>();
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        try (RealEngine real = new RealEngine()) {
            Scope scope = real.request(Duration.ofHours(1));
            scope.cancel(Reason.CLIENT_ABORT);
            try (Section section = real.engine().bind(scope)) {
                assertThatThrownBy(() -> this.retry.executeSupplier(() -> attempts.add("call")))
                        .isInstanceOf(DeadlineExceededException.class);
                assertThat(this.retry.<Boolean>executeCompletionStage(
                                scheduler, () -> CompletableFuture.completedFuture(attempts.add("stage"))))
                        .failsWithin(Duration.ofSeconds(5))
                        .withThrowableThat()
                        .withCauseInstanceOf(DeadlineExceededException.class);
            }
        } finally {
            scheduler.shutdownNow();
        }
        assertThat(attempts).isEmpty();
    }

    private void assertNothingTold() {
        assertThat(this.events).isEmpty();
        assertThat(this.retry.getMetrics().getNumberOfSuccessfulCallsWithRetryAttempt())
                .isZero();
        assertThat(this.retry.getMetrics().getNumberOfFailedCallsWithRetryAttempt())
                .isZero();
    }
}
