package dev.deadline.report;

import dev.deadline.DeadlineListener.StepEvent;
import dev.deadline.OnTimeout;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;

/** The timers of one step. */
final class StepTimers {

    private final OutcomeTimers[] timers = new OutcomeTimers[OnTimeout.values().length * 2];

    StepTimers(MeterRegistry registry, String step) {
        for (OnTimeout policy : OnTimeout.values()) {
            for (boolean clamped : new boolean[] {false, true}) {
                Tags tags = Tags.of(
                        "step", step,
                        "policy", policy.name().toLowerCase(Locale.ROOT),
                        "clamped", Boolean.toString(clamped));
                this.timers[index(policy, clamped)] =
                        new OutcomeTimers(registry, "deadline.step", "Time until a step ended or was given up", tags);
            }
        }
    }

    Timer get(StepEvent event) {
        return this.timers[index(event.policy(), event.clamped())].get(
                event.outcome(), event.reason(), event.enforced());
    }

    private static int index(OnTimeout policy, boolean clamped) {
        return policy.ordinal() * 2 + (clamped ? 1 : 0);
    }
}
