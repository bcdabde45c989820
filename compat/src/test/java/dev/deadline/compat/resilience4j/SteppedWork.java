package dev.deadline.compat.resilience4j;

import dev.deadline.Steps;
import java.util.concurrent.CompletionStage;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Work inside a step of its own. */
record SteppedWork(Steps.Closed step, BreakerWork work) implements BreakerWork {

    @Override
    public String blocking() throws Exception {
        return this.step.call(this.work::blocking);
    }

    @Override
    public CompletionStage<String> stage() {
        return this.step.call(this.work::stage);
    }

    @Override
    public Mono<String> mono() {
        return this.step.call(this.work::mono);
    }

    @Override
    public Flux<String> flux() {
        return this.step.call(this.work::flux);
    }
}
