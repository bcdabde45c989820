package dev.deadline.compat.resilience4j;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Work that is no call of a client, does not end by itself, and says when it was given up. */
class EndlessWork implements BreakerWork {

    private final CountDownLatch begun = new CountDownLatch(1);

    private final CountDownLatch givenUp = new CountDownLatch(1);

    CountDownLatch begun() {
        return this.begun;
    }

    CountDownLatch givenUp() {
        return this.givenUp;
    }

    @Override
    public String blocking() throws Exception {
        this.begun.countDown();
        try {
            new CountDownLatch(1).await();
        } finally {
            this.givenUp.countDown();
        }
        return "ended";
    }

    @Override
    public CompletionStage<String> stage() {
        CompletableFuture<String> endless = new CompletableFuture<>();
        endless.whenComplete((answer, failure) -> this.givenUp.countDown());
        this.begun.countDown();
        return endless;
    }

    @Override
    public Mono<String> mono() {
        return Mono.<String>never()
                .doOnSubscribe(subscription -> this.begun.countDown())
                .doOnCancel(this.givenUp::countDown);
    }

    @Override
    public Flux<String> flux() {
        return mono().flux();
    }

    /** Says something before it falls silent. */
    static final class AfterElement extends EndlessWork {

        @Override
        public Flux<String> flux() {
            return Flux.just("first").concatWith(mono());
        }
    }

    /** Answers when it is told to stop. */
    static final class Late extends EndlessWork {

        @Override
        public String blocking() throws Exception {
            try {
                return super.blocking();
            } catch (InterruptedException ex) {
                return "late";
            }
        }
    }
}
