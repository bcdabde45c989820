package dev.deadline.compat.resilience4j;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Work that answers at once, without any upstream. */
record AnsweringWork(String answer) implements BreakerWork {

    @Override
    public String blocking() {
        return this.answer;
    }

    @Override
    public CompletionStage<String> stage() {
        return CompletableFuture.completedFuture(this.answer);
    }

    @Override
    public Mono<String> mono() {
        return Mono.just(this.answer);
    }

    @Override
    public Flux<String> flux() {
        return Flux.just(this.answer);
    }
}
