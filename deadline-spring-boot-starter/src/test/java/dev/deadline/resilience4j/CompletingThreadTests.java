package dev.deadline.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.deadline.Deadline;
import dev.deadline.Reason;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Mode;
import dev.deadline.engine.RealEngine;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.retry.RetryRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

/** A call counts under the deadline it began with, or under none, whosever thread brings its end. */
@Timeout(30)
class CompletingThreadTests {

    private static final Duration SOON = Duration.ofSeconds(10);

    private final RealEngine real = new RealEngine();

    private final BoundedRegistries registries = new BoundedRegistries(false);

    private final Retry retry = ((RetryRegistry) this.registries.bounded(RetryRegistry.of(RetryConfig.custom()
                    .maxAttempts(2)
                    .waitDuration(Duration.ofMillis(1))
                    .retryOnResult("again"::equals)
                    .build())))
            .retry("some");

    private final CircuitBreaker breaker = ((CircuitBreakerRegistry)
                    this.registries.bounded(CircuitBreakerRegistry.ofDefaults()))
            .circuitBreaker("some");

    /** Of a request that has nothing to do with the calls, and whose client has gone. */
    private final Scope stranger = this.real.request(Duration.ofHours(1));

    /** Takes along the deadline of whoever schedules, as executors do that carry it. */
    private final ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(1) {
        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            Scope scope = DeadlineEngine.currentScope();
            return super.schedule(() -> inside(scope, task), delay, unit);
        }
    };

    private final CompletableFuture<String> first = new CompletableFuture<>();

    /** Which deadline each attempt found at its thread. */
    private final List<Optional<Scope>> found = new CopyOnWriteArrayList<>();

    @BeforeEach
    void abortStranger() {
        this.stranger.cancel(Reason.CLIENT_ABORT);
    }

    @AfterEach
    void close() {
        this.scheduler.shutdownNow();
        this.real.close();
    }

    private static void inside(Scope scope, Runnable work) {
        try (Section section = DeadlineEngine.carry(scope)) {
            work.run();
        }
    }

    private static Optional<Scope> currentOrigin() {
        return Optional.ofNullable(DeadlineEngine.currentScope()).map(Scope::origin);
    }

    /** The first attempt is up to the test, the second answers. */
    private CompletionStage<String> attempt() {
        this.found.add(currentOrigin());
        return (this.found.size() == 1) ? this.first : CompletableFuture.completedFuture("answer");
    }

    private CompletableFuture<String> retried() {
        return this.retry.executeCompletionStage(this.scheduler, this::attempt).toCompletableFuture();
    }

    @Test
    void retriesResultOfAJobThatAStrangerBrings() {
        CompletableFuture<String> answer = retried();

        inside(this.stranger, () -> this.first.complete("again"));

        assertThat(answer).succeedsWithin(SOON).isEqualTo("answer");
        assertThat(this.found).containsExactly(Optional.empty(), Optional.empty());
    }

    @Test
    void retriesFailureOfAJobThatAStrangerBrings() {
        CompletableFuture<String> answer = retried();

        inside(this.stranger, () -> this.first.completeExceptionally(new IllegalArgumentException("sick")));

        assertThat(answer).succeedsWithin(SOON).isEqualTo("answer");
        assertThat(this.found).containsExactly(Optional.empty(), Optional.empty());
    }

    @Test
    void retriesResultOfADecoratedStageThatAStrangerBrings() {
        Supplier<CompletionStage<String>> decorated =
                Retry.decorateCompletionStage(this.retry, this.scheduler, this::attempt);
        CompletableFuture<String> answer = decorated.get().toCompletableFuture();

        inside(this.stranger, () -> this.first.complete("again"));

        assertThat(answer).succeedsWithin(SOON).isEqualTo("answer");
    }

    @Test
    void retriesUnderAnObservedDeadline() {
        Scope observed = this.real.engine().openRequest(System.nanoTime(), 1, 0, Mode.OBSERVE, false);
        CompletableFuture<String> answer;
        try (Section section = DeadlineEngine.carry(observed)) {
            answer = retried();
        }

        inside(this.stranger, () -> this.first.complete("again"));

        assertThat(answer).succeedsWithin(SOON).isEqualTo("answer");
        assertThat(this.found).containsExactly(Optional.of(observed), Optional.of(observed));
    }

    @Test
    void throwsWhatTheFirstAttemptOfAJobThrows() {
        assertThatThrownBy(() -> this.retry.executeCompletionStage(this.scheduler, () -> {
                    throw new IllegalArgumentException("sick");
                }))
                .hasMessage("sick");
    }

    @Test
    void retriesResultOfAMonoThatAStrangerBrings() throws Throwable {
        Mono<String> upstream = Mono.defer(() -> Mono.fromCompletionStage(attempt()));
        CompletableFuture<?> answer = ((Mono<?>)
                        new ReactiveAspects.OfRetry().handle(ReactiveRaceTests.method(upstream), this.retry, "some"))
                .toFuture();

        inside(this.stranger, () -> this.first.complete("again"));

        assertThat(answer).succeedsWithin(SOON).isEqualTo("answer");
    }

    @Test
    void countsAnswerOfAJobThatAStrangerBrings() {
        CompletionStage<String> answer = this.breaker.executeCompletionStage(() -> this.first);

        inside(this.stranger, () -> this.first.complete("answer"));

        assertThat(answer).isCompletedWithValue("answer");
        assertThat(this.breaker.getMetrics().getNumberOfSuccessfulCalls()).isOne();
    }

    @Test
    void countsFailureOfAJobThatAStrangerBrings() {
        this.breaker.executeCompletionStage(() -> this.first);

        inside(this.stranger, () -> this.first.completeExceptionally(new IllegalArgumentException("sick")));

        assertThat(this.breaker.getMetrics().getNumberOfFailedCalls()).isOne();
    }

    @Test
    void countsAnswerInTimeThatAStrangerBrings() {
        try (Section section = DeadlineEngine.carry(this.real.request(Duration.ofHours(1)))) {
            this.breaker.executeCompletionStage(() -> this.first);
        }

        inside(this.stranger, () -> this.first.complete("answer"));

        assertThat(this.breaker.getMetrics().getNumberOfSuccessfulCalls()).isOne();
    }

    /** After the thread that made the call has left. */
    @Test
    void doesNotCountAnswerForADepartedClientThatAStrangerBrings() {
        Scope request = this.real.request(Duration.ofHours(1));
        try (Section section = DeadlineEngine.carry(request)) {
            this.breaker.executeCompletionStage(() -> this.first);
        }

        // Before whoever cuts the stage, or after: it is the same to the breaker.
        request.cancel(Reason.CLIENT_ABORT);
        inside(this.real.request(Duration.ofHours(1)), () -> this.first.complete("answer"));

        assertThat(this.breaker.getMetrics().getNumberOfBufferedCalls()).isZero();
    }

    @Test
    void countsAnswerOfAMonoThatAStrangerBrings() throws Throwable {
        CompletableFuture<?> answer = ((Mono<?>) new ReactiveAspects.OfCircuitBreaker()
                        .handle(ReactiveRaceTests.method(Mono.fromCompletionStage(this.first)), this.breaker, "some"))
                .toFuture();

        inside(this.stranger, () -> this.first.complete("answer"));

        assertThat(answer).succeedsWithin(SOON).isEqualTo("answer");
        assertThat(this.breaker.getMetrics().getNumberOfSuccessfulCalls()).isOne();
    }

    /** The thread that subscribes is a stranger's as well, if the context says that there is no deadline. */
    @Test
    void countsAnswerOfAMonoThatAStrangerBegins() throws Throwable {
        Mono<String> upstream = Mono.defer(() -> {
            this.found.add(currentOrigin());
            return Mono.just("answer");
        });
        Mono<?> call = (Mono<?>)
                new ReactiveAspects.OfCircuitBreaker().handle(ReactiveRaceTests.method(upstream), this.breaker, "some");

        CompletableFuture<Object> answer = new CompletableFuture<>();
        inside(
                this.stranger,
                () -> call.contextWrite(context -> context.put(Scope.KEY, Deadline.none()))
                        .subscribe(answer::complete, answer::completeExceptionally));

        assertThat(answer).succeedsWithin(SOON).isEqualTo("answer");
        assertThat(this.found).containsExactly(Optional.empty());
        assertThat(this.breaker.getMetrics().getNumberOfSuccessfulCalls()).isOne();
    }

    @Test
    void answersInsteadOfAJobThatAStrangerEnds() throws Throwable {
        CompletableFuture<String> answer = InsteadOfStage.call(() -> this.first, () -> {
            this.found.add(currentOrigin());
            return CompletableFuture.completedFuture("instead");
        });

        inside(this.stranger, () -> this.first.completeExceptionally(new IllegalArgumentException("sick")));

        assertThat(answer).succeedsWithin(SOON).isEqualTo("instead");
        assertThat(this.found).containsExactly(Optional.empty());
    }
}
