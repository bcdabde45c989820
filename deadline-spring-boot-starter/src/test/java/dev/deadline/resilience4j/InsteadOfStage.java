package dev.deadline.resilience4j;

import io.github.resilience4j.spring6.fallback.CompletionStageFallbackDecorator;
import io.github.resilience4j.spring6.fallback.FallbackMethod;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.springframework.util.ReflectionUtils;

/** What an aspect makes of a method with a {@code fallbackMethod}, both of which return a stage. */
public final class InsteadOfStage {

    private final Supplier<CompletionStage<String>> fallback;

    private InsteadOfStage(Supplier<CompletionStage<String>> fallback) {
        this.fallback = fallback;
    }

    /**
     * Calls the guarded work.
     *
     * @param fallback is called in place of a stage that failed
     */
    @SuppressWarnings("unchecked")
    static CompletableFuture<String> call(
            Supplier<CompletionStage<String>> guarded, Supplier<CompletionStage<String>> fallback) throws Throwable {
        InsteadOfStage bean = new InsteadOfStage(fallback);
        FallbackMethod method = FallbackMethod.create(
                "instead", ReflectionUtils.findMethod(InsteadOfStage.class, "annotated"), new Object[0], bean, bean);
        return (CompletableFuture<String>) new TimelyFallbacks(List.of(new CompletionStageFallbackDecorator()))
                .decorate(method, guarded::get)
                .get();
    }

    public CompletionStage<String> annotated() {
        throw new UnsupportedOperationException();
    }

    public CompletionStage<String> instead(Throwable failure) {
        return this.fallback.get();
    }
}
