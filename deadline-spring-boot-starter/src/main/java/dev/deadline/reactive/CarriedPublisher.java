package dev.deadline.reactive;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;

/**
 * Publishers that are subscribed to, and cancelled, by a thread that carries the deadline they count under. For operators
 * that look for it at the thread, as they know nothing of the Reactor context. Where there is none the thread has none
 * either.
 */
public final class CarriedPublisher {

    private CarriedPublisher() {}

    /** The same Mono. */
    public static <T> Mono<T> of(Mono<T> source) {
        return new CarriedMono<>(source);
    }

    /** The same Flux. */
    public static <T> Flux<T> of(Flux<T> source) {
        return new CarriedFlux<>(source);
    }

    private static final class CarriedMono<T> extends MonoOperator<T, T> {

        private final @Nullable Scope assembled = DeadlineEngine.currentScope();

        CarriedMono(Mono<? extends T> source) {
            super(source);
        }

        @Override
        public void subscribe(CoreSubscriber<? super T> downstream) {
            CarriedSubscriber.subscribe(this.source, downstream, this.assembled);
        }
    }

    private static final class CarriedFlux<T> extends FluxOperator<T, T> {

        private final @Nullable Scope assembled = DeadlineEngine.currentScope();

        CarriedFlux(Flux<? extends T> source) {
            super(source);
        }

        @Override
        public void subscribe(CoreSubscriber<? super T> downstream) {
            CarriedSubscriber.subscribe(this.source, downstream, this.assembled);
        }
    }
}
