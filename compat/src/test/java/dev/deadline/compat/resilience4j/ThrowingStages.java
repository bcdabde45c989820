package dev.deadline.compat.resilience4j;

import io.github.resilience4j.retry.annotation.Retry;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Calls that fail at first as a stage does, and throw when they cannot even begin. */
class ThrowingStages {

    @Retry(name = "#root.args[0]")
    CompletionStage<String> call(String name, CountedUpstream upstream) {
        return CompletableFuture.failedFuture(new IllegalStateException(upstream.ask()));
    }
}
