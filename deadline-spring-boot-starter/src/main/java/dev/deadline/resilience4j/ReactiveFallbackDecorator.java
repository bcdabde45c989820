package dev.deadline.resilience4j;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import dev.deadline.reactive.ScopeLookup;
import io.github.resilience4j.core.functions.CheckedSupplier;
import io.github.resilience4j.spring6.fallback.FallbackDecorator;
import io.github.resilience4j.spring6.fallback.FallbackMethod;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** For a Mono or Flux, whose deadline is that of its subscriber. */
final class ReactiveFallbackDecorator implements FallbackDecorator {

    @Override
    public boolean supports(Class<?> type) {
        return Mono.class.isAssignableFrom(type) || Flux.class.isAssignableFrom(type);
    }

    @Override
    public CheckedSupplier<Object> decorate(FallbackMethod method, CheckedSupplier<Object> work) {
        return () -> {
            Object result = work.get();
            Scope assembled = DeadlineEngine.currentScope();
            if (result instanceof Mono<?> mono) {
                return Mono.deferContextual(context -> mono.cast(Object.class)
                        .onErrorResume(failure -> Mono.from(answer(method, context, assembled, failure))));
            }
            if (result instanceof Flux<?> flux) {
                return Flux.deferContextual(context ->
                        flux.cast(Object.class).onErrorResume(failure -> answer(method, context, assembled, failure)));
            }
            return result;
        };
    }

    @SuppressWarnings("unchecked")
    private static Publisher<Object> answer(
            FallbackMethod method, ContextView context, @Nullable Scope assembled, Throwable failure) {
        Scope scope = ScopeLookup.find(context, assembled);
        try {
            Object answer = new TimelyFallback(method, scope).answer(failure);
            return (answer != null) ? (Publisher<Object>) answer : Mono.empty();
        } catch (Throwable ex) {
            return Mono.error(ex);
        }
    }
}
