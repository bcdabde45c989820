package dev.deadline.compat.resilience4j;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Work that fails at once, without any upstream. */
record FailingWork(Exception failure) implements BreakerWork {

    @Override
    public String blocking() throws Exception {
        throw this.failure;
    }

    @Override
    public CompletionStage<String> stage() {
        return CompletableFuture.failedFuture(this.failure);
    }

    @Override
    public Mono<String> mono() {
        return Mono.error(this.failure);
    }

    @Override
    public Flux<String> flux() {
        return Flux.error(this.failure);
    }
}
