package dev.deadline.compat.resilience4j;

import io.github.resilience4j.bulkhead.annotation.Bulkhead;
import io.github.resilience4j.ratelimiter.annotation.RateLimiter;
import io.github.resilience4j.timelimiter.annotation.TimeLimiter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Calls of upstreams that decide themselves when they end. */
class TimedCalls {

    @TimeLimiter(name = "#root.args[0]")
    CompletionStage<String> stage(String name, CompletableFuture<String> upstream) {
        return upstream;
    }

    @TimeLimiter(name = "#root.args[0]")
    Mono<String> mono(String name, Mono<String> upstream) {
        return upstream;
    }

    @TimeLimiter(name = "#root.args[0]")
    Flux<String> flux(String name, Flux<String> upstream) {
        return upstream;
    }

    @Bulkhead(name = "#root.args[0]")
    CompletionStage<String> queued(String name, CompletableFuture<String> upstream) {
        return upstream;
    }

    @RateLimiter(name = "#root.args[0]")
    CompletionStage<String> limited(String name, CompletableFuture<String> upstream) {
        return upstream;
    }

    @Bulkhead(name = "#root.args[0]", type = Bulkhead.Type.THREADPOOL)
    CompletionStage<String> pooled(String name, CountedUpstream upstream) {
        return upstream.stage();
    }
}
