package dev.deadline.engine;

import dev.deadline.Deadline;
import dev.deadline.Deadlines;
import java.time.Duration;

/** Deadlines that belong to no request. */
public final class EngineDeadlines implements Deadlines {

    private final DeadlineEngine engine;

    public EngineDeadlines(DeadlineEngine engine) {
        this.engine = engine;
    }

    @Override
    public Started start(Duration budget) {
        Scope scope = this.engine.openJob(this.engine.mode(), Nanos.ofPositive("budget", budget));
        Section section = this.engine.bind(scope);
        return new Started() {
            @Override
            public Deadline deadline() {
                return scope;
            }

            @Override
            public void close() {
                scope.complete();
                section.close();
            }
        };
    }

    @Override
    public Runnable detached(Duration cap, Runnable task) {
        Nanos.ofPositive("cap", cap);
        return () -> {
            try (Started started = start(cap)) {
                task.run();
            }
        };
    }
}
