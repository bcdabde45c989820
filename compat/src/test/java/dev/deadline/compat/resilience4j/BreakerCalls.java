package dev.deadline.compat.resilience4j;

import dev.deadline.OnTimeout;
import dev.deadline.Step;
import io.github.resilience4j.circuitbreaker.annotation.CircuitBreaker;
import java.util.concurrent.CompletionStage;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Methods with a breaker, which is the one of the name given, in every form. */
class BreakerCalls {

    private static final String NAME = "#root.args[0]";

    @CircuitBreaker(name = NAME)
    String blocking(String breaker, BreakerWork work) throws Exception {
        return work.blocking();
    }

    @CircuitBreaker(name = NAME)
    CompletionStage<String> stage(String breaker, BreakerWork work) {
        return work.stage();
    }

    @CircuitBreaker(name = NAME)
    Mono<String> mono(String breaker, BreakerWork work) {
        return work.mono();
    }

    @CircuitBreaker(name = NAME)
    Flux<String> flux(String breaker, BreakerWork work) {
        return work.flux();
    }

    /** Makes the call without waiting for what comes later. */
    static Object call(BreakerCalls calls, CallForm form, String breaker, BreakerWork work) throws Exception {
        return switch (form) {
            case BLOCKING -> calls.blocking(breaker, work);
            case STAGE -> calls.stage(breaker, work);
            case MONO -> calls.mono(breaker, work);
            case FLUX -> calls.flux(breaker, work);
        };
    }

    /** The same, each a step as well. */
    static class OfStep extends BreakerCalls {

        static final String TIMEOUT = "100ms";

        @Override
        @Step(name = "annotated-blocking", onTimeout = OnTimeout.CLOSED, timeout = TIMEOUT)
        @CircuitBreaker(name = NAME)
        String blocking(String breaker, BreakerWork work) throws Exception {
            return super.blocking(breaker, work);
        }

        @Override
        @Step(name = "annotated-stage", onTimeout = OnTimeout.CLOSED, timeout = TIMEOUT)
        @CircuitBreaker(name = NAME)
        CompletionStage<String> stage(String breaker, BreakerWork work) {
            return super.stage(breaker, work);
        }

        @Override
        @Step(name = "annotated-mono", onTimeout = OnTimeout.CLOSED, timeout = TIMEOUT)
        @CircuitBreaker(name = NAME)
        Mono<String> mono(String breaker, BreakerWork work) {
            return super.mono(breaker, work);
        }

        @Override
        @Step(name = "annotated-flux", onTimeout = OnTimeout.CLOSED, timeout = TIMEOUT)
        @CircuitBreaker(name = NAME)
        Flux<String> flux(String breaker, BreakerWork work) {
            return super.flux(breaker, work);
        }
    }
}
