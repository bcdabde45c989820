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

    // In the context of what is cut: by which scope. What is cut further in by the same scope waits for the cut further
    // out to cancel it, or its failure might find nobody to hear of it, and be logged as dropped. It does not rely on
    // that, as an operator such as cache() holds the cancellation up.
    private static final Object CUT = CancelSignal.class;

    private CancelSignal() {}

    /** The source, until the scope is cancelled. */
    public static <T> Mono<T> cut(Mono<T> source, Scope scope) {
        return source.contextWrite(context -> context.put(CUT, scope.origin())).takeUntilOther(of(scope));
    }

    /** The source, until the scope is cancelled. */
    public static <T> Flux<T> cut(Flux<T> source, Scope scope) {
        return source.contextWrite(context -> context.put(CUT, scope.origin())).takeUntilOther(of(scope));
    }

    /** The source, until the scope is cancelled: then it fails. */
    public static <T> Mono<T> fail(Mono<T> source, Scope scope) {
        return cut(source, scope).switchIfEmpty(Mono.defer(() -> failure(scope)));
    }

    /** The source, until the scope is cancelled: then it fails. */
    public static <T> Flux<T> fail(Flux<T> source, Scope scope) {
        return cut(source, scope).concatWith(Mono.defer(() -> failure(scope)));
    }

    private static <T> Mono<T> failure(Scope scope) {
        return (scope.reason() != null) ? Mono.error(scope.exceeded(null)) : Mono.empty();
    }

    // It must complete: takeUntilOther does not cancel the source when the other fails.
    private static Publisher<Void> of(Scope scope) {
        return Mono.create(sink -> {
            boolean isCutFurtherOut = sink.contextView().getOrDefault(CUT, null) == scope.origin();
            Registration registration = scope.onCancel(reason -> {
                if (isCutFurtherOut) {
                    scope.afterTheRest(sink::success);
                } else {
                    scope.afterInterrupt(sink::success);
                }
            });
            sink.onDispose(registration::close);
        });
    }
}
