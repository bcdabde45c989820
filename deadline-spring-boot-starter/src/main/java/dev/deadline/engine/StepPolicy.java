package dev.deadline.engine;

import dev.deadline.OnTimeout;
import org.jspecify.annotations.Nullable;

/**
 * A step as it runs: what was declared, with the configuration applied.
 *
 * @param mode null for that of the request
 */
public record StepPolicy(
        StepDefinition definition, @Nullable Mode mode) {

    public String name() {
        return this.definition.name();
    }

    boolean isOpen() {
        return this.definition.onTimeout() == OnTimeout.OPEN;
    }
}
