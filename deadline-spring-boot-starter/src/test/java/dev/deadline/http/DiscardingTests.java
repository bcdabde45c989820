package dev.deadline.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;

class DiscardingTests {

    private final List<Throwable> dropped = new CopyOnWriteArrayList<>();

    @AfterEach
    void reset() {
        Hooks.resetOnErrorDropped();
    }

    /** As a body of Reactor Netty that Spring is releasing itself: the one wants no second reader, the other no first. */
    @Test
    void isRefusedTwiceWithoutAWord() {
        Hooks.onErrorDropped(this.dropped::add);
        AtomicInteger refused = new AtomicInteger();
        Flux<Object> body = Flux.error(new IllegalStateException("It has a reader"))
                .doOnSubscribe(subscription -> {
                    throw new IllegalStateException("It has been released");
                })
                .map(buffer -> buffer);

        body.subscribe(new Discarding(refused::incrementAndGet));

        assertThat(refused).hasValue(1);
        assertThat(this.dropped).isEmpty();
    }
}
