package dev.deadline.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.engine.RealEngine;
import dev.deadline.engine.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/** What an operator throws that holds the subscribing thread. */
class CarriedSubscriberTests {

    private final List<String> signals = new ArrayList<>();

    @Test
    void tellsWhatAnOperatorThrowsAsAnError() {
        subscribe(false);
        assertThat(this.signals).containsExactly("subscribed", "failed");
    }

    /** Whoever was cut while the operator held the thread cancels with the first signal. */
    @Test
    void tellsNothingToWhoCancels() {
        subscribe(true);
        assertThat(this.signals).containsExactly("subscribed");
    }

    private void subscribe(boolean cancels) {
        try (RealEngine real = new RealEngine()) {
            Scope scope = real.request(Duration.ofHours(1));
            Mono<String> throwing = new Mono<>() {
                @Override
                public void subscribe(CoreSubscriber<? super String> downstream) {
                    throw new IllegalStateException("the permit did not come");
                }
            };
            CarriedPublisher.of(throwing).subscribe(new CoreSubscriber<String>() {
                @Override
                public Context currentContext() {
                    return Context.of(Scope.KEY, scope);
                }

                @Override
                public void onSubscribe(Subscription subscription) {
                    CarriedSubscriberTests.this.signals.add("subscribed");
                    if (cancels) {
                        subscription.cancel();
                    }
                }

                @Override
                public void onNext(String element) {
                    CarriedSubscriberTests.this.signals.add(element);
                }

                @Override
                public void onError(Throwable failure) {
                    CarriedSubscriberTests.this.signals.add("failed");
                }

                @Override
                public void onComplete() {
                    CarriedSubscriberTests.this.signals.add("completed");
                }
            });
        }
    }
}
