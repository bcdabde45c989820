package dev.deadline.compat.resilience4j;

import io.github.resilience4j.circuitbreaker.annotation.CircuitBreaker;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The same with fallback methods, which are counted. */
class BreakerFallbackCalls extends BreakerCalls {

    private static final String NAME = "with-fallback";

    private final AtomicInteger fallbacks = new AtomicInteger();

    /** How many times a fallback was called since this was asked last. */
    int takeFallbacks() {
        return this.fallbacks.getAndSet(0);
    }

    @Override
    @CircuitBreaker(name = NAME, fallbackMethod = "blockingFallback")
    String blocking(String breaker, BreakerWork work) throws Exception {
        return work.blocking();
    }

    @Override
    @CircuitBreaker(name = NAME, fallbackMethod = "stageFallback")
    CompletionStage<String> stage(String breaker, BreakerWork work) {
        return work.stage();
    }

    @Override
    @CircuitBreaker(name = NAME, fallbackMethod = "monoFallback")
    Mono<String> mono(String breaker, BreakerWork work) {
        return work.mono();
    }

    @Override
    @CircuitBreaker(name = NAME, fallbackMethod = "fluxFallback")
    Flux<String> flux(String breaker, BreakerWork work) {
        return work.flux();
    }

    String blockingFallback(String breaker, BreakerWork work, Throwable failure) {
        this.fallbacks.incrementAndGet();
        return "fallback";
    }

    CompletionStage<String> stageFallback(String breaker, BreakerWork work, Throwable failure) {
        return CompletableFuture.completedFuture(blockingFallback(breaker, work, failure));
    }

    Mono<String> monoFallback(String breaker, BreakerWork work, Throwable failure) {
        return Mono.just(blockingFallback(breaker, work, failure));
    }

    Flux<String> fluxFallback(String breaker, BreakerWork work, Throwable failure) {
        return Flux.just(blockingFallback(breaker, work, failure));
    }
}
