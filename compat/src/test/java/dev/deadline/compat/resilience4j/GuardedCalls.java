package dev.deadline.compat.resilience4j;

import io.github.resilience4j.bulkhead.annotation.Bulkhead;
import io.github.resilience4j.circuitbreaker.annotation.CircuitBreaker;
import io.github.resilience4j.ratelimiter.annotation.RateLimiter;
import io.github.resilience4j.retry.annotation.Retry;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Calls of an upstream with every guard that Resilience4j has, configured under the name {@code guarded}, in every form
 * that a method can have.
 */
class GuardedCalls {

    private final RestClient rest;

    private final WebClient web;

    GuardedCalls(RestClient.Builder rest, WebClient.Builder web) {
        this.rest = rest.build();
        this.web = web.build();
    }

    @Retry(name = "guarded")
    @CircuitBreaker(name = "guarded")
    @RateLimiter(name = "guarded")
    @Bulkhead(name = "guarded")
    String blocking(String url) {
        return this.rest.get().uri(url).retrieve().body(String.class);
    }

    @Retry(name = "guarded")
    @CircuitBreaker(name = "guarded")
    @RateLimiter(name = "guarded")
    @Bulkhead(name = "guarded")
    CompletionStage<String> stage(String url) {
        return mono(url).toFuture();
    }

    @Retry(name = "guarded")
    @CircuitBreaker(name = "guarded")
    @RateLimiter(name = "guarded")
    @Bulkhead(name = "guarded")
    Mono<String> mono(String url) {
        return this.web.get().uri(url).retrieve().bodyToMono(String.class);
    }

    @Retry(name = "guarded")
    @CircuitBreaker(name = "guarded")
    @RateLimiter(name = "guarded")
    @Bulkhead(name = "guarded")
    Flux<String> flux(String url) {
        return this.web.get().uri(url).retrieve().bodyToFlux(String.class);
    }

    /** Makes the call, and waits for what comes of it; a failure is thrown as a blocking call would throw it. */
    static Object answer(GuardedCalls calls, CallForm form, String url) {
        return awaited(call(calls, form, url));
    }

    /** Makes the call without waiting for what comes later. */
    static Object call(GuardedCalls calls, CallForm form, String url) {
        return switch (form) {
            case BLOCKING -> calls.blocking(url);
            case STAGE -> calls.stage(url);
            case MONO -> calls.mono(url);
            case FLUX -> calls.flux(url);
        };
    }

    static Object awaited(Object result) {
        try {
            if (result instanceof CompletionStage<?> stage) {
                return stage.toCompletableFuture()
                        .orTimeout(30, TimeUnit.SECONDS)
                        .join();
            }
            if (result instanceof Mono<?> mono) {
                return mono.block();
            }
            return (result instanceof Flux<?> flux) ? flux.collectList().block() : result;
        } catch (CompletionException ex) {
            if (ex.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw ex;
        }
    }
}
