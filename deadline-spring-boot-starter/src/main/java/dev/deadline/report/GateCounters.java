package dev.deadline.report;

import dev.deadline.DeadlineListener.GateEvent;
import dev.deadline.GateCause;
import dev.deadline.Priority;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The counters of what the gate refused, each made when it is first needed and kept. */
final class GateCounters {

    private static final int PRIORITIES = Priority.values().length;

    private final MeterRegistry registry;

    private final AtomicReferenceArray<@Nullable Counter> counters =
            new AtomicReferenceArray<>(GateCause.values().length * PRIORITIES * 2);

    GateCounters(MeterRegistry registry) {
        this.registry = registry;
    }

    void count(GateEvent event) {
        int index =
                (event.cause().ordinal() * PRIORITIES + event.priority().ordinal()) * 2 + (event.enforced() ? 1 : 0);
        Counter counter = this.counters.get(index);
        if (counter == null) {
            counter = register(event);
            this.counters.set(index, counter);
        }
        counter.increment();
    }

    private Counter register(GateEvent event) {
        return Counter.builder("deadline.gate")
                .description("Requests that the gate refused, or would have")
                .tag("reason", event.reason().code())
                .tag("cause", event.cause().code())
                .tag("priority", event.priority().code())
                .tag("enforced", Boolean.toString(event.enforced()))
                .register(this.registry);
    }
}
