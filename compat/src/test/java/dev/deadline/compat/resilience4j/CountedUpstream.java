package dev.deadline.compat.resilience4j;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An upstream in this process that knows how often it was asked, and answers every form of call at once. */
final class CountedUpstream {

    /** What the upstream says when it is asked for the first, second, … time. */
    interface Answer {

        String to(int attempt);
    }

    private final AtomicInteger asked = new AtomicInteger();

    private final Answer answer;

    CountedUpstream(Answer answer) {
        this.answer = answer;
    }

    static CountedUpstream answering(String answer) {
        return new CountedUpstream(attempt -> answer);
    }

    /** Fails with {@code sick}, and the number of the attempt. */
    static CountedUpstream failing() {
        return new CountedUpstream(attempt -> {
            throw new IllegalStateException("sick " + attempt);
        });
    }

    String ask() {
        return this.answer.to(this.asked.incrementAndGet());
    }

    CompletionStage<String> stage() {
        try {
            return CompletableFuture.completedFuture(ask());
        } catch (RuntimeException ex) {
            return CompletableFuture.failedFuture(ex);
        }
    }

    Mono<String> mono() {
        return Mono.fromSupplier(this::ask);
    }

    Flux<String> flux() {
        return mono().flux();
    }

    int asked() {
        return this.asked.get();
    }
}
