package dev.deadline.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the configuration says about one step; null leaves it as declared. */
public record StepSettings(
        @Nullable Duration timeout,
        @Nullable Duration reserve,
        @Nullable Duration minimum,
        @Nullable Mode mode) {

    static final StepSettings NONE = new StepSettings(null, null, null, null);

    StepDefinition applyTo(StepDefinition declared) {
        StepDefinition step = declared;
        if (this.timeout != null) {
            step = step.withTimeout(Nanos.ofPositive("timeout", this.timeout));
        }
        if (this.reserve != null) {
            step = step.withReserve(Nanos.of(this.reserve));
        }
        if (this.minimum != null) {
            step = step.withMinimum(Nanos.ofPositive("minimum", this.minimum));
        }
        return step;
    }
}
