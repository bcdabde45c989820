package dev.deadline.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.RealEngine;
import dev.deadline.engine.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.util.context.Context;

class CarriedPublisherTests {

    private final RealEngine engine = new RealEngine();

    @AfterEach
    void close() {
        this.engine.close();
    }

    @Test
    void makesElementsThatAreAskedForLaterUnderTheDeadline() {
        Scope request = this.engine.request(Duration.ofMinutes(1));
        List<Boolean> carriedAbove = new ArrayList<>();
        List<Boolean> carriedBelow = new ArrayList<>();
        BaseSubscriber<Integer> subscriber = new BaseSubscriber<>() {
            @Override
            public Context currentContext() {
                return Context.of(Scope.KEY, request);
            }

            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                // Asks later.
            }

            @Override
            protected void hookOnNext(Integer element) {
                carriedBelow.add(isCarried());
            }
        };
        CarriedPublisher.of(Flux.range(1, 3).doOnNext(element -> carriedAbove.add(isCarried())))
                .subscribe(subscriber);

        subscriber.request(1);
        subscriber.request(2);

        assertThat(carriedAbove).containsExactly(true, true, true);
        assertThat(carriedBelow).containsExactly(false, false, false);
    }

    private static boolean isCarried() {
        @Nullable Scope scope = DeadlineEngine.currentScope();
        return scope != null;
    }
}
