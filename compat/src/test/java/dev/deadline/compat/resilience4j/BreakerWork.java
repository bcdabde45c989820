package dev.deadline.compat.resilience4j;

import java.util.concurrent.CompletionStage;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What a guarded method does, in every form that it can have. */
interface BreakerWork {

    String blocking() throws Exception;

    CompletionStage<String> stage();

    Mono<String> mono();

    Flux<String> flux();
}
