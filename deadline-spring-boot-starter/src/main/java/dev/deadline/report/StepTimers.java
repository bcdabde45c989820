package dev.deadline.report;

import dev.deadline.DeadlineListener.StepEvent;
import dev.deadline.OnTimeout;
import dev.deadline.Refusal;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The timers of one step. */
final class StepTimers {

    // One more than there are refusals: none.
    private static final int CAUSES = Refusal.values().length + 1;

    private final MeterRegistry registry;

    private final String step;

    // Made when first needed, as most combinations never are. Two threads may make the same one: the registry gives
    // both the same timers, and whoever reads an element sees a whole one.
    private final AtomicReferenceArray<@Nullable OutcomeTimers> timers =
            new AtomicReferenceArray<>(OnTimeout.values().length * 2 * CAUSES);

    StepTimers(MeterRegistry registry, String step) {
        this.registry = registry;
        this.step = step;
    }

    Timer get(StepEvent event) {
        Refusal cause = event.cause();
        int causeIndex = (cause != null) ? cause.ordinal() + 1 : 0;
        int index = (event.policy().ordinal() * 2 + (event.clamped() ? 1 : 0)) * CAUSES + causeIndex;
        OutcomeTimers known = this.timers.get(index);
        if (known == null) {
            known = timersLike(event);
            this.timers.set(index, known);
        }
        return known.get(event.outcome(), event.reason(), event.enforced());
    }

    private OutcomeTimers timersLike(StepEvent event) {
        Refusal cause = event.cause();
        Tags tags = Tags.of(
                "step",
                this.step,
                "policy",
                event.policy().name().toLowerCase(Locale.ROOT),
                "clamped",
                Boolean.toString(event.clamped()),
                "cause",
                (cause != null) ? cause.code() : OutcomeTimers.NONE);
        return new OutcomeTimers(this.registry, "deadline.step", "Time until a step ended or was given up", tags);
    }
}
