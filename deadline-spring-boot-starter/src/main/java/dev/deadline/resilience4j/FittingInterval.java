package dev.deadline.resilience4j;

import dev.deadline.engine.Scope;
import io.github.resilience4j.core.IntervalBiFunction;
import io.github.resilience4j.core.functions.Either;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The pauses between attempts as they were configured, as long as another attempt can begin after them.
 *
 * @param own what was configured, in milliseconds
 * @param beforeAttempt what was configured to be told of a result that is retried; here, as a retry would tell it before
 *     it knows whether there is time for that
 */
record FittingInterval(
        IntervalBiFunction<Object> own, @Nullable BiConsumer<Integer, Object> beforeAttempt)
        implements IntervalBiFunction<Object> {

    /** A retry ends, with the error it had, when it is told to wait so long. */
    private static final long NO_MORE = -1;

    /** A retry knows no such thing for results, so that {@link BoundedRetry} has to end it. */
    static final class TooLongException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        TooLongException() {
            super("The pause does not fit into the time left", null, false, false);
        }
    }

    /** The same configuration with pauses that fit. What is retried stays as it was. */
    static RetryConfig within(RetryConfig config) {
        if (config.getIntervalBiFunction() instanceof FittingInterval) {
            return config;
        }
        return RetryConfig.from(config)
                .intervalBiFunction(new FittingInterval(
                        config.getIntervalBiFunction(), config.getConsumeResultBeforeRetryAttempt()))
                .consumeResultBeforeRetryAttempt(null)
                .build();
    }

    @Override
    public Long apply(Integer attempt, Either<Throwable, Object> outcome) {
        Long pause = fitting(attempt, outcome);
        if (outcome.isRight() && this.beforeAttempt != null) {
            this.beforeAttempt.accept(attempt, outcome.get());
        }
        return pause;
    }

    private Long fitting(Integer attempt, Either<Throwable, Object> outcome) {
        Scope scope = TimeLeft.current();
        if (scope == null) {
            return this.own.apply(attempt, outcome);
        }
        if (outcome.isLeft()) {
            Stops stop = Stops.of(outcome.getLeft());
            if (outcome.getLeft() instanceof AbandonedException || stop != null && stop.isFinal()) {
                return NO_MORE;
            }
        }
        Long pause = this.own.apply(attempt, outcome);
        if (pause < 0 || TimeLeft.isEnoughFor(scope, Duration.ofMillis(pause))) {
            return pause;
        }
        if (outcome.isLeft()) {
            return NO_MORE;
        }
        throw new TooLongException();
    }
}
