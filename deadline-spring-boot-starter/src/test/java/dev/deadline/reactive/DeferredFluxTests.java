package dev.deadline.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.Reason;
import dev.deadline.StepFailedException;
import dev.deadline.Steps;
import dev.deadline.engine.RealEngine;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

/** A Flux has one time for all of its elements. */
class DeferredFluxTests {

    private static final Duration SHORT = Duration.ofMillis(60);

    private static final Duration LONG = Duration.ofMinutes(1);

    private static final Duration WAIT = Duration.ofSeconds(10);

    private final RealEngine engine = new RealEngine();

    private final Steps steps = this.engine.steps(new DeferredFlux());

    private final AtomicInteger cancelled = new AtomicInteger();

    @AfterEach
    void close() {
        this.engine.close();
    }

    private Flux<String> open(Duration timeout, Flux<String> work) {
        Flux<String> watched = work.doOnCancel(this.cancelled::incrementAndGet);
        return this.steps.open("step").timeout(timeout).call(() -> watched, failure -> Flux.just("fall", "back"));
    }

    private Flux<String> closed(Duration timeout, Flux<String> work) {
        return this.steps.closed("step").timeout(timeout).call(() -> work);
    }

    private static boolean isTimeout(Throwable failure) {
        return failure instanceof StepFailedException failed && failed.reason() == Reason.UPSTREAM_TIMEOUT;
    }

    @Test
    void answersInTime() {
        StepVerifier.create(closed(LONG, Flux.just("a", "b")))
                .expectNext("a", "b")
                .expectComplete()
                .verify(WAIT);

        assertThat(this.engine.outcomes()).containsExactly("step ok none");
    }

    @Test
    void fallsBackWhileNothingHasBeenEmitted() {
        StepVerifier.create(open(SHORT, Flux.never()))
                .expectNext("fall", "back")
                .expectComplete()
                .verify(WAIT);

        assertThat(this.cancelled).hasValue(1);
        assertThat(this.engine.outcomes()).containsExactly("step degraded upstream_timeout");
    }

    @Test
    void failsOnceSomethingHasBeenEmitted() {
        StepVerifier.create(open(SHORT, Flux.just("a").concatWith(Flux.never())))
                .expectNext("a")
                .expectErrorMatches(DeferredFluxTests::isTimeout)
                .verify(WAIT);

        assertThat(this.cancelled).hasValue(1);
        assertThat(this.engine.outcomes()).containsExactly("step failed upstream_timeout");
    }

    /** C01: elements that keep coming do not keep it alive. */
    @Test
    void endsThoughElementsKeepComing() {
        StepVerifier.create(closed(SHORT, Flux.interval(Duration.ofMillis(5)).map(Object::toString)))
                .thenConsumeWhile(element -> true)
                .expectErrorMatches(DeferredFluxTests::isTimeout)
                .verify(WAIT);
    }

    @Test
    void fallsBackWhenTheUpstreamFails() {
        StepVerifier.create(open(LONG, Flux.error(new IOException("reset"))))
                .expectNext("fall", "back")
                .expectComplete()
                .verify(WAIT);

        assertThat(this.engine.outcomes()).containsExactly("step degraded upstream_error");
    }

    @Test
    void failsWhenTheUpstreamFailsHalfway() {
        StepVerifier.create(open(LONG, Flux.just("a").concatWith(Flux.error(new IOException("reset")))))
                .expectNext("a")
                .expectErrorMatches(failure ->
                        failure instanceof StepFailedException failed && failed.reason() == Reason.UPSTREAM_ERROR)
                .verify(WAIT);
    }

    @Test
    void isAbortedWhenTheSubscriberHasEnough() {
        StepVerifier.create(
                        open(LONG, Flux.just("a", "b").concatWith(Flux.never())).take(1))
                .expectNext("a")
                .expectComplete()
                .verify(WAIT);

        assertThat(this.cancelled).hasValue(1);
        assertThat(this.engine.outcomes()).containsExactly("step aborted none");
    }

    @Test
    void honoursBackpressure() {
        StepVerifier.create(open(LONG, Flux.range(1, 5).map(Object::toString)), 2)
                .expectNext("1", "2")
                .thenRequest(1)
                .expectNext("3")
                .thenRequest(10)
                .expectNext("4", "5")
                .expectComplete()
                .verify(WAIT);
    }
}
