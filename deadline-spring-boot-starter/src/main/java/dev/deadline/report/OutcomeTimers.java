package dev.deadline.report;

import dev.deadline.Outcome;
import dev.deadline.Reason;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The timers of one name that differ in how it ended, each made when it is first needed and kept. */
final class OutcomeTimers {

    /** The value of a tag that has none. */
    static final String NONE = "none";

    // One more than there are reasons: none.
    private static final int REASONS = Reason.values().length + 1;

    private final MeterRegistry registry;

    private final String name;

    private final String description;

    private final Tags tags;

    private final AtomicReferenceArray<@Nullable Timer> timers =
            new AtomicReferenceArray<>(Outcome.values().length * REASONS * 2);

    OutcomeTimers(MeterRegistry registry, String name, String description, Tags tags) {
        this.registry = registry;
        this.name = name;
        this.description = description;
        this.tags = tags;
    }

    Timer get(Outcome outcome, @Nullable Reason reason, boolean enforced) {
        int reasonIndex = (reason != null) ? reason.ordinal() + 1 : 0;
        int index = (outcome.ordinal() * REASONS + reasonIndex) * 2 + (enforced ? 1 : 0);
        Timer timer = this.timers.get(index);
        if (timer == null) {
            timer = register(outcome, reason, enforced);
            this.timers.set(index, timer);
        }
        return timer;
    }

    private Timer register(Outcome outcome, @Nullable Reason reason, boolean enforced) {
        return Timer.builder(this.name)
                .description(this.description)
                .tags(this.tags)
                .tag("outcome", outcome.code())
                .tag("reason", (reason != null) ? reason.code() : NONE)
                .tag("enforced", Boolean.toString(enforced))
                .register(this.registry);
    }
}
