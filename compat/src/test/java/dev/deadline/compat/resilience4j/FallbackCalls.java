package dev.deadline.compat.resilience4j;

import io.github.resilience4j.bulkhead.BulkheadFullException;
import io.github.resilience4j.bulkhead.annotation.Bulkhead;
import io.github.resilience4j.core.functions.CheckedSupplier;
import io.github.resilience4j.ratelimiter.RequestNotPermitted;
import io.github.resilience4j.ratelimiter.annotation.RateLimiter;
import io.github.resilience4j.retry.annotation.Retry;
import io.github.resilience4j.spring6.fallback.FallbackDecorator;
import io.github.resilience4j.spring6.fallback.FallbackMethod;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import reactor.core.publisher.Mono;

/** Calls with fallback methods for what their guards throw. */
class FallbackCalls {

    /** A type of the application's own, with a decorator of its own. */
    record Envelope(String text) {}

    @Retry(name = "#root.args[0]", fallbackMethod = "instead")
    String retried(String name, CountedUpstream upstream) {
        return upstream.ask();
    }

    @Retry(name = "#root.args[0]", fallbackMethod = "stageInstead")
    CompletionStage<String> retriedStage(String name, CountedUpstream upstream) {
        return upstream.stage();
    }

    @Retry(name = "#root.args[0]", fallbackMethod = "monoInstead")
    Mono<String> retriedMono(String name, CountedUpstream upstream) {
        return upstream.mono();
    }

    @Retry(name = "#root.args[0]", fallbackMethod = "envelopeInstead")
    Envelope retriedEnvelope(String name, CountedUpstream upstream) {
        return new Envelope(upstream.ask());
    }

    @Bulkhead(name = "#root.args[0]", fallbackMethod = "instead")
    String queued(String name, CountedUpstream upstream) {
        return upstream.ask();
    }

    @RateLimiter(name = "#root.args[0]", fallbackMethod = "instead")
    String limited(String name, CountedUpstream upstream) {
        return upstream.ask();
    }

    private String instead(String name, CountedUpstream upstream, IllegalStateException failure) {
        return "instead of " + failure.getMessage();
    }

    private String instead(String name, CountedUpstream upstream, BulkheadFullException failure) {
        return "full";
    }

    private String instead(String name, CountedUpstream upstream, RequestNotPermitted failure) {
        return "limited";
    }

    private CompletionStage<String> stageInstead(String name, CountedUpstream upstream, Throwable failure) {
        return CompletableFuture.completedFuture("instead of " + failure.getMessage());
    }

    private Mono<String> monoInstead(String name, CountedUpstream upstream, IllegalStateException failure) {
        return Mono.just("instead of " + failure.getMessage());
    }

    private Envelope envelopeInstead(String name, CountedUpstream upstream, IllegalStateException failure) {
        return new Envelope("instead of " + failure.getMessage());
    }

    /** Marks what it decorates. */
    static class EnvelopeDecorator implements FallbackDecorator {

        @Override
        public boolean supports(Class<?> type) {
            return type == Envelope.class;
        }

        @Override
        public CheckedSupplier<Object> decorate(FallbackMethod method, CheckedSupplier<Object> work) {
            return () -> {
                try {
                    return work.get();
                } catch (IllegalStateException ex) {
                    return new Envelope("decorated: " + ((Envelope) method.fallback(ex)).text());
                }
            };
        }
    }
}
