package dev.deadline.compat.resilience4j;

import io.github.resilience4j.bulkhead.annotation.Bulkhead;
import io.github.resilience4j.circuitbreaker.annotation.CircuitBreaker;
import io.github.resilience4j.ratelimiter.annotation.RateLimiter;
import io.github.resilience4j.retry.annotation.Retry;
import java.util.concurrent.CompletionStage;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Calls in every form, each class with one guard, whose name is the first argument. */
interface NamedCalls {

    String blocking(String name, CountedUpstream upstream);

    CompletionStage<String> stage(String name, CountedUpstream upstream);

    Mono<String> mono(String name, CountedUpstream upstream);

    Flux<String> flux(String name, CountedUpstream upstream);

    /** Makes the call without waiting for what comes later. */
    static Object call(NamedCalls calls, CallForm form, String name, CountedUpstream upstream) {
        return switch (form) {
            case BLOCKING -> calls.blocking(name, upstream);
            case STAGE -> calls.stage(name, upstream);
            case MONO -> calls.mono(name, upstream);
            case FLUX -> calls.flux(name, upstream);
        };
    }

    /** Are retried. */
    @Retry(name = "#root.args[0]")
    class Retried implements NamedCalls {

        @Override
        public String blocking(String name, CountedUpstream upstream) {
            return upstream.ask();
        }

        @Override
        public CompletionStage<String> stage(String name, CountedUpstream upstream) {
            return upstream.stage();
        }

        @Override
        public Mono<String> mono(String name, CountedUpstream upstream) {
            return upstream.mono();
        }

        @Override
        public Flux<String> flux(String name, CountedUpstream upstream) {
            return upstream.flux();
        }
    }

    /** Wait for a place. */
    @Bulkhead(name = "#root.args[0]")
    class Queued implements NamedCalls {

        @Override
        public String blocking(String name, CountedUpstream upstream) {
            return upstream.ask();
        }

        @Override
        public CompletionStage<String> stage(String name, CountedUpstream upstream) {
            return upstream.stage();
        }

        @Override
        public Mono<String> mono(String name, CountedUpstream upstream) {
            return upstream.mono();
        }

        @Override
        public Flux<String> flux(String name, CountedUpstream upstream) {
            return upstream.flux();
        }
    }

    /** Are limited. */
    @RateLimiter(name = "#root.args[0]")
    class Limited implements NamedCalls {

        @Override
        public String blocking(String name, CountedUpstream upstream) {
            return upstream.ask();
        }

        @Override
        public CompletionStage<String> stage(String name, CountedUpstream upstream) {
            return upstream.stage();
        }

        @Override
        public Mono<String> mono(String name, CountedUpstream upstream) {
            return upstream.mono();
        }

        @Override
        public Flux<String> flux(String name, CountedUpstream upstream) {
            return upstream.flux();
        }
    }

    /** Go through a breaker. */
    @CircuitBreaker(name = "#root.args[0]")
    class Broken implements NamedCalls {

        @Override
        public String blocking(String name, CountedUpstream upstream) {
            return upstream.ask();
        }

        @Override
        public CompletionStage<String> stage(String name, CountedUpstream upstream) {
            return upstream.stage();
        }

        @Override
        public Mono<String> mono(String name, CountedUpstream upstream) {
            return upstream.mono();
        }

        @Override
        public Flux<String> flux(String name, CountedUpstream upstream) {
            return upstream.flux();
        }
    }
}
