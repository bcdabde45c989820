package dev.deadline.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** Every permit of a breaker ends in one result, or goes back once. */
class BreakerPermitTests {

    private static final int ROUNDS = 20_000;

    private final CircuitBreaker breaker = ((CircuitBreakerRegistry) new BoundedRegistries(false)
                    .bounded(CircuitBreakerRegistry.of(CircuitBreakerConfig.custom()
                            .permittedNumberOfCallsInHalfOpenState(3)
                            .build())))
            .circuitBreaker("some");

    @Test
    void isNotGivenBackWhenTheAnswerOfAMonoMeetsACancellation() throws Throwable {
        ExecutorService other = Executors.newSingleThreadExecutor();
        CyclicBarrier start = new CyclicBarrier(2);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                halfOpen();
                MonoSink<?>[] sink = new MonoSink<?>[1];
                Mono<String> upstream = Mono.create(created -> sink[0] = created);
                Mono<?> call = (Mono<?>) new ReactiveAspects.OfCircuitBreaker()
                        .handle(ReactiveRaceTests.method(upstream), this.breaker, "some");
                Disposable subscription = call.subscribe();
                Future<?> cancel = other.submit(() -> {
                    start.await(10, TimeUnit.SECONDS);
                    subscription.dispose();
                    return null;
                });
                start.await(10, TimeUnit.SECONDS);
                answer(sink[0]);
                cancel.get(10, TimeUnit.SECONDS);
                assertPermitsAreExact();
            }
        } finally {
            other.shutdownNow();
        }
    }

    @SuppressWarnings("unchecked")
    private static void answer(MonoSink<?> sink) {
        ((MonoSink<String>) sink).success("answer");
    }

    @Test
    void tellsOfOneCallOnce() {
        halfOpen();
        CircuitBreaker call = ((BoundedCircuitBreaker) this.breaker).forOneCall();
        call.acquirePermission();
        call.onResult(1, TimeUnit.NANOSECONDS, "answer");
        call.releasePermission();
        call.onSuccess(1, TimeUnit.NANOSECONDS);
        call.onError(1, TimeUnit.NANOSECONDS, new IllegalArgumentException());
        assertThat(this.breaker.getMetrics().getNumberOfBufferedCalls()).isOne();
        assertPermitsAreExact();
    }

    private void halfOpen() {
        this.breaker.transitionToOpenState();
        this.breaker.transitionToHalfOpenState();
    }

    private void assertPermitsAreExact() {
        assertThat(HalfOpen.permits(this.breaker))
                .isEqualTo(3 - this.breaker.getMetrics().getNumberOfBufferedCalls());
    }
}
