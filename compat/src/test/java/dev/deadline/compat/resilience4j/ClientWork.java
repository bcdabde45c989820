package dev.deadline.compat.resilience4j;

import java.util.concurrent.CompletionStage;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Calls of an upstream through the clients of Spring. */
record ClientWork(RestClient rest, WebClient web, String url) implements BreakerWork {

    @Override
    public String blocking() {
        return this.rest.get().uri(this.url).retrieve().body(String.class);
    }

    @Override
    public CompletionStage<String> stage() {
        return mono().toFuture();
    }

    @Override
    public Mono<String> mono() {
        return this.web.get().uri(this.url).retrieve().bodyToMono(String.class);
    }

    @Override
    public Flux<String> flux() {
        return this.web.get().uri(this.url).retrieve().bodyToFlux(String.class);
    }
}
