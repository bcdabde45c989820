package dev.deadline.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.deadline.Deadline;
import dev.deadline.DeadlineExceededException;
import dev.deadline.Reason;
import dev.deadline.StepFailedException;
import dev.deadline.Steps;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Mode;
import dev.deadline.engine.RealEngine;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** C29: time begins with the subscription, and cancellation reaches the source. */
class DeferredMonoTests {

    private static final Duration SHORT = Duration.ofMillis(40);

    private static final Duration LONG = Duration.ofMinutes(1);

    private final RealEngine engine = new RealEngine();

    private final Steps steps = this.engine.steps(new DeferredMono());

    private final AtomicInteger subscribed = new AtomicInteger();

    private final AtomicInteger cancelled = new AtomicInteger();

    private final Mono<String> never = watched(Mono.never());

    @AfterEach
    void close() {
        this.engine.close();
    }

    private <T> Mono<T> watched(Mono<T> source) {
        return source.doOnSubscribe(subscription -> this.subscribed.incrementAndGet())
                .doOnCancel(this.cancelled::incrementAndGet);
    }

    private Mono<String> open(Duration timeout, Mono<String> work) {
        return this.steps.open("step").timeout(timeout).call(() -> work, failure -> Mono.just("fallback"));
    }

    private Mono<String> closed(Duration timeout, Mono<String> work) {
        return this.steps.closed("step").timeout(timeout).call(() -> work);
    }

    private static void assertFails(Mono<?> answer, Reason reason) {
        StepFailedException failure = catchThrowableOfType(StepFailedException.class, answer::block);
        assertThat(failure).isNotNull();
        assertThat(failure.reason()).isEqualTo(reason);
    }

    @Test
    void answersInTime() {
        assertThat(closed(LONG, Mono.just("answer")).block()).isEqualTo("answer");
        assertThat(closed(LONG, Mono.<String>empty()).block()).isNull();
        assertThat(this.engine.outcomes()).containsExactly("step ok none", "step ok none");
    }

    @Test
    void failsAndCancelsTheSourceWhenTimeIsUp() {
        assertFails(closed(SHORT, this.never), Reason.UPSTREAM_TIMEOUT);

        assertThat(this.cancelled).hasValue(1);
        assertThat(this.engine.outcomes()).containsExactly("step failed upstream_timeout");
    }

    @Test
    void fallsBackAtEverySubscription() {
        Mono<String> kept = open(SHORT, this.never);
        assertThat(this.subscribed).hasValue(0);

        assertThat(kept.block()).isEqualTo("fallback");
        assertThat(kept.block()).isEqualTo("fallback");

        assertThat(this.subscribed).hasValue(2);
        assertThat(this.cancelled).hasValue(2);
        assertThat(this.engine.outcomes())
                .containsExactly("step degraded upstream_timeout", "step degraded upstream_timeout");
    }

    @Test
    void fallsBackWhenTheUpstreamFails() {
        Mono<String> refused = Mono.error(new IOException("reset"));

        assertThat(open(LONG, refused).block()).isEqualTo("fallback");
        assertThat(this.engine.outcomes()).containsExactly("step degraded upstream_error");
    }

    @Test
    void failsWhenTheUpstreamFails() {
        assertFails(closed(LONG, Mono.error(new IOException("reset"))), Reason.UPSTREAM_ERROR);
        assertThat(this.engine.outcomes()).containsExactly("step failed upstream_error");
    }

    @Test
    void passesTheExceptionOfTheApplicationOn() {
        assertThatIllegalStateException()
                .isThrownBy(open(LONG, Mono.error(new IllegalStateException("own")))::block)
                .withMessage("own");
        assertThat(this.engine.outcomes()).containsExactly("step business_error none");
    }

    @Test
    void isAbortedWhenNobodyWaitsAnyMore() {
        Disposable subscription = open(LONG, this.never).subscribe();

        subscription.dispose();

        assertThat(this.cancelled).hasValue(1);
        assertThat(this.engine.outcomes()).containsExactly("step aborted none");
    }

    @Test
    void doesNotSubscribeWhenNothingIsLeft() {
        Scope request = this.engine.request(Duration.ofNanos(1));
        Mono<String> answer = closed(LONG, this.never);
        try (Section section = this.engine.engine().bind(request)) {
            assertFails(answer, Reason.BUDGET_EXHAUSTED);
        }

        assertThat(this.subscribed).hasValue(0);
    }

    /** The scope of the step is what calls inside it find. */
    @Test
    void putsTheDeadlineIntoTheContextOfTheSource() {
        Mono<Boolean> inside = Mono.deferContextual(context ->
                Mono.just(context.<Deadline>get("dev.deadline").remaining().compareTo(LONG) <= 0));

        assertThat(this.steps.closed("step").timeout(LONG).call(() -> inside).block())
                .isTrue();
    }

    @Test
    void findsTheDeadlineInTheContextFirst() {
        Scope near = this.engine.request(SHORT);
        Scope far = this.engine.request(LONG);
        Mono<String> answer = closed(LONG, this.never);
        try (Section section = this.engine.engine().bind(far)) {
            assertFails(answer.contextWrite(context -> context.put("dev.deadline", near)), Reason.BUDGET_EXHAUSTED);
        }
    }

    @Test
    void findsTheDeadlineOfTheAssemblyOnAnotherThread() {
        Scope request = this.engine.request(SHORT);
        try (Section section = this.engine.engine().bind(request)) {
            assertFails(closed(LONG, this.never).subscribeOn(Schedulers.boundedElastic()), Reason.BUDGET_EXHAUSTED);
        }
    }

    /** C38: a Mono kept in a field does not carry yesterday's deadline. */
    @Test
    void forgetsTheDeadlineOfAFormerRequest() {
        Scope yesterday = this.engine.request(LONG);
        Mono<String> kept;
        try (Section section = this.engine.engine().bind(yesterday)) {
            kept = open(LONG, Mono.just("answer"));
        }
        yesterday.cancel(Reason.CLIENT_ABORT);
        yesterday.complete();

        assertThat(kept.block()).isEqualTo("answer");
    }

    @Test
    void leavesTheEndOfAnOuterStepToThatStep() {
        AtomicReference<Throwable> inner = new AtomicReference<>();
        Mono<String> answer = this.steps
                .closed("outer")
                .timeout(SHORT)
                .call(() -> this.steps
                        .open("inner")
                        .call(() -> this.never, failure -> Mono.just("fallback"))
                        .doOnError(inner::set));

        assertFails(answer, Reason.UPSTREAM_TIMEOUT);
        Awaitility.await().until(() -> this.engine.outcomes().size() == 2);
        assertThat(this.engine.outcomes())
                .containsExactlyInAnyOrder("inner failed none", "outer failed upstream_timeout");
        assertThat(inner.get())
                .satisfiesAnyOf(
                        failure -> assertThat(failure).isNull(),
                        failure -> assertThat(failure).isInstanceOf(DeadlineExceededException.class));
    }

    @Test
    void boundsTheFallback() {
        Scope request = this.engine.request(Duration.ofMillis(120));
        Mono<String> answer = this.steps.open("step").timeout(SHORT).call(() -> this.never, failure -> this.never);
        try (Section section = this.engine.engine().bind(request)) {
            assertFails(answer, Reason.BUDGET_EXHAUSTED);
        }

        assertThat(this.cancelled).hasValue(2);
        assertThat(this.engine.outcomes()).containsExactly("step failed upstream_timeout");
    }

    @Test
    void letsTheFallbackBlock() {
        Mono<String> answer = this.steps
                .open("step")
                .timeout(SHORT)
                .call(
                        () -> this.never,
                        failure -> Mono.just(Mono.delay(Duration.ofMillis(5))
                                .thenReturn("blocked")
                                .block()));

        assertThat(answer.block()).isEqualTo("blocked");
        assertThat(this.engine.outcomes()).containsExactly("step degraded upstream_timeout");
    }

    /** Whatever is returned in place of a step that did not start answers as often as it is asked. */
    @Test
    void answersWithTheFallbackAgain() {
        Scope request = this.engine.request(LONG);
        Mono<String> kept;
        try (Section section = this.engine.engine().bind(request)) {
            kept = this.steps
                    .open("step")
                    .reserve(LONG.multipliedBy(2))
                    .call(() -> this.never, failure -> Mono.just("fallback"));
        }

        assertThat(kept.block()).isEqualTo("fallback");
        assertThat(kept.block()).isEqualTo("fallback");
        assertThat(this.subscribed).hasValue(0);
    }

    @Test
    void reportsAFallbackThatThrows() {
        Mono<String> answer = this.steps.open("step").timeout(SHORT).call(() -> this.never, failure -> {
            throw new IllegalStateException("broken");
        });

        assertFails(answer, Reason.UPSTREAM_TIMEOUT);
        assertThat(this.engine.outcomes()).containsExactly("step failed upstream_timeout");
    }

    @Test
    void onlyWatchesInObserveMode() {
        this.engine.mode(Mode.OBSERVE);
        Sinks.One<String> late = Sinks.one();
        AtomicReference<String> answer = new AtomicReference<>();
        closed(Duration.ofMillis(1), watched(late.asMono())).subscribe(answer::set);
        long end = System.nanoTime() + 2_000_000;
        Awaitility.await().pollDelay(Duration.ofMillis(1)).until(() -> System.nanoTime() - end > 0);

        late.tryEmitValue("late");

        assertThat(answer).hasValue("late");
        assertThat(this.cancelled).hasValue(0);
        assertThat(this.engine.outcomes()).containsExactly("step failed upstream_timeout");
    }

    @Test
    void reportsExactlyOneOutcomeWhenAnswerAndEndMeet() {
        for (int i = 0; i < 300; i++) {
            assertThat(open(
                                    Duration.ofMillis(2),
                                    Mono.delay(Duration.ofMillis(2)).map(tick -> "answer"))
                            .block())
                    .isIn("answer", "fallback");
        }

        assertThat(this.engine.outcomes()).hasSize(300);
        assertThat(DeadlineEngine.currentScope()).isNull();
    }
}
