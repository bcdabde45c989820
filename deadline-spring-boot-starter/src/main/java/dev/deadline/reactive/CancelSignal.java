package dev.deadline.reactive;

import dev.deadline.Deadline.Registration;
import dev.deadline.engine.Scope;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Cuts publishers when a scope is cancelled: cancels the source, then completes. What completion means is for the
 * caller to ask the scope. The watchdog is the one clock, so that cut and reports agree; Reactor's own timers have no
 * part in it.
 */
public final class CancelSignal {

    private CancelSignal() {}

    /** The source, until the scope is cancelled. */
    public static <T> Mono<T> cut(Mono<T> source, Scope scope) {
        return source.takeUntilOther(of(scope));
    }

    /** The source, until the scope is cancelled. */
    public static <T> Flux<T> cut(Flux<T> source, Scope scope) {
        return source.takeUntilOther(of(scope));
    }

    // It must complete: takeUntilOther does not cancel the source when the other fails.
    private static Publisher<Void> of(Scope scope) {
        return Mono.create(sink -> {
            Registration registration = scope.onCancel(reason -> scope.afterInterrupt(sink::success));
            sink.onDispose(registration::close);
        });
    }
}
