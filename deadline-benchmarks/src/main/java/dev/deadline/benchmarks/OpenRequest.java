package dev.deadline.benchmarks;

import dev.deadline.Outcome;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.EngineSettings;
import dev.deadline.engine.InterruptPolicy;
import dev.deadline.engine.Mode;
import dev.deadline.engine.ModeSwitch;
import dev.deadline.engine.RequestAnswer;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import dev.deadline.engine.UpstreamFailures;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A request with an hour to go, bound to the thread that made this object. */
final class OpenRequest implements AutoCloseable {

    private final DeadlineEngine engine = DeadlineEngine.start(
            new EngineSettings(
                    TimeUnit.MILLISECONDS.toNanos(20),
                    InterruptPolicy.STEPS,
                    TimeUnit.MILLISECONDS.toNanos(150),
                    16,
                    false),
            new ModeSwitch(Mode.ENFORCE),
            new UpstreamFailures(),
            List.of());

    private final Scope request =
            this.engine.openRequest(System.nanoTime(), TimeUnit.HOURS.toNanos(1), 0, Mode.ENFORCE, false);

    private final Section section = this.engine.bind(this.request);

    DeadlineEngine engine() {
        return this.engine;
    }

    @Override
    public void close() {
        this.section.close();
        this.engine.finishRequest(this.request, Outcome.OK, null, RequestAnswer.UNKNOWN);
        this.engine.close();
    }
}
