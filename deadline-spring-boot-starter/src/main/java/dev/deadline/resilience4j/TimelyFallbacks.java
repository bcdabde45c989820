package dev.deadline.resilience4j;

import dev.deadline.engine.DeadlineEngine;
import io.github.resilience4j.core.functions.CheckedSupplier;
import io.github.resilience4j.spring6.fallback.CompletionStageFallbackDecorator;
import io.github.resilience4j.spring6.fallback.FallbackDecorator;
import io.github.resilience4j.spring6.fallback.FallbackDecorators;
import io.github.resilience4j.spring6.fallback.FallbackMethod;
import io.github.resilience4j.spring6.fallback.ReactorFallbackDecorator;
import io.github.resilience4j.spring6.timelimiter.configure.IllegalReturnTypeException;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Calls the fallback methods of Resilience4j's annotations, each {@linkplain TimelyFallback in time}. Decorators of the
 * application's, and those for other types, do as they do without this.
 *
 * @since 0.1
 */
public final class TimelyFallbacks extends FallbackDecorators {

    private static final FallbackDecorator BLOCKING = new Blocking();

    public TimelyFallbacks(List<FallbackDecorator> decorators) {
        super(decorators.stream().map(TimelyFallbacks::timely).toList());
    }

    private static FallbackDecorator timely(FallbackDecorator decorator) {
        if (decorator.getClass() == CompletionStageFallbackDecorator.class) {
            return new Stage();
        }
        return (decorator.getClass() == ReactorFallbackDecorator.class) ? new ReactiveFallbackDecorator() : decorator;
    }

    @Override
    public CheckedSupplier<Object> decorate(FallbackMethod method, CheckedSupplier<Object> work) {
        return getFallbackDecorators().stream()
                .filter(decorator -> decorator.supports(method.getReturnType()))
                .findFirst()
                .orElse(BLOCKING)
                .decorate(method, work);
    }

    private static final class Blocking implements FallbackDecorator {

        @Override
        public boolean supports(Class<?> type) {
            return true;
        }

        @Override
        public CheckedSupplier<Object> decorate(FallbackMethod method, CheckedSupplier<Object> work) {
            TimelyFallback fallback = new TimelyFallback(method, DeadlineEngine.currentScope());
            return () -> {
                try {
                    return work.get();
                } catch (IllegalReturnTypeException ex) {
                    // A mistake in the program, which a fallback would hide.
                    throw ex;
                } catch (Throwable ex) {
                    return fallback.answer(ex);
                }
            };
        }
    }

    private static final class Stage implements FallbackDecorator {

        @Override
        public boolean supports(Class<?> type) {
            return CompletionStage.class.isAssignableFrom(type);
        }

        @Override
        @SuppressWarnings("unchecked")
        public CheckedSupplier<Object> decorate(FallbackMethod method, CheckedSupplier<Object> work) {
            TimelyFallback fallback = new TimelyFallback(method, DeadlineEngine.currentScope());
            return () -> fallback.recover((CompletionStage<Object>) work.get());
        }
    }
}
