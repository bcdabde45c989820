package dev.deadline.engine;

import dev.deadline.OnTimeout;
import dev.deadline.StepFailedException;
import dev.deadline.Steps;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Steps in their functional form. */
public final class EngineSteps implements Steps {

    private final StepRegistry registry;

    private final StepRunner runner;

    public EngineSteps(StepRegistry registry, StepRunner runner) {
        this.registry = registry;
        this.runner = runner;
    }

    @Override
    public Open open(String name) {
        return new OpenStep(StepDefinition.of(name, OnTimeout.OPEN));
    }

    @Override
    public Closed closed(String name) {
        return new ClosedStep(StepDefinition.of(name, OnTimeout.CLOSED));
    }

    private abstract class FunctionalStep<S> implements Settings<S> {

        private final StepDefinition definition;

        final StepPolicy policy;

        FunctionalStep(StepDefinition definition) {
            this.definition = definition;
            this.policy = EngineSteps.this.registry.register(definition);
        }

        abstract S with(StepDefinition changed);

        private S change(UnaryOperator<StepDefinition> change) {
            return with(change.apply(this.definition));
        }

        @Override
        public S timeout(Duration timeout) {
            long nanos = Nanos.ofPositive("timeout", timeout);
            return change(step -> step.withTimeout(nanos));
        }

        @Override
        public S reserve(Duration reserve) {
            if (reserve.isNegative()) {
                throw new IllegalArgumentException("reserve must not be negative, but is " + reserve);
            }
            return change(step -> step.withReserve(Nanos.of(reserve)));
        }

        @Override
        public S minimum(Duration minimum) {
            long nanos = Nanos.ofPositive("minimum", minimum);
            return change(step -> step.withMinimum(nanos));
        }

        @Override
        public S essential() {
            return change(StepDefinition::asEssential);
        }

        @Override
        public S uninterruptible() {
            return change(StepDefinition::asUninterruptible);
        }
    }

    private final class OpenStep extends FunctionalStep<Open> implements Open {

        OpenStep(StepDefinition definition) {
            super(definition);
        }

        @Override
        Open with(StepDefinition changed) {
            return new OpenStep(changed);
        }

        @Override
        public <T extends @Nullable Object, X extends Exception> T call(
                Work<T, X> work, Function<? super StepFailedException, ? extends T> fallback) throws X {
            return EngineSteps.this.runner.<T, X>run(this.policy, Object.class, work, fallback);
        }
    }

    private final class ClosedStep extends FunctionalStep<Closed> implements Closed {

        ClosedStep(StepDefinition definition) {
            super(definition);
        }

        @Override
        Closed with(StepDefinition changed) {
            return new ClosedStep(changed);
        }

        @Override
        public <T extends @Nullable Object, X extends Exception> T call(Work<T, X> work) throws X {
            return EngineSteps.this.runner.<T, X>run(this.policy, Object.class, work, null);
        }
    }
}
