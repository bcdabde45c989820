package dev.deadline.engine;

import dev.deadline.DeadlineListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A real engine that keeps what it reports. */
public final class RealEngine implements AutoCloseable {

    private final Queue<DeadlineListener.StepEvent> events = new ConcurrentLinkedQueue<>();

    private final ModeSwitch mode = new ModeSwitch(Mode.ENFORCE);

    private final DeadlineEngine engine;

    public RealEngine() {
        this(MonotonicClock.SYSTEM);
    }

    /** One on a clock that does more than tell the time. */
    public RealEngine(MonotonicClock clock) {
        this.engine = new DeadlineEngine(
                clock,
                new ThreadWatchdog(clock).start(),
                new EngineSettings(0, InterruptPolicy.STEPS, 150_000_000, 4, false),
                this.mode,
                new UpstreamFailures(),
                List.of(new DeadlineListener() {
                    @Override
                    public void stepFinished(StepEvent event) {
                        RealEngine.this.events.add(event);
                    }
                }));
    }

    public DeadlineEngine engine() {
        return this.engine;
    }

    /** How the steps ended, in order: {@code <step> <outcome> <reason>}. */
    public List<String> outcomes() {
        return this.events.stream()
                .map(event -> event.step() + " " + event.outcome().code() + " "
                        + (event.reason() != null ? event.reason().code() : "none"))
                .toList();
    }

    public void mode(Mode changed) {
        this.mode.set(changed);
    }

    /** A scope of a request that is bound to no thread. */
    public Scope request(Duration budget) {
        return request(budget, Duration.ZERO);
    }

    /** One that ordinary steps do not get the whole time of. */
    public Scope request(Duration budget, Duration reserve) {
        long now = this.engine.clock().nanoTime();
        return this.engine.openRequest(now, budget.toNanos(), reserve.toNanos(), Mode.ENFORCE, false);
    }

    /** Whether anything waits for the end of a scope. */
    public boolean hasHooks(Scope scope) {
        Hooks hooks = scope.hooks();
        return hooks != null && !hooks.isEmpty();
    }

    public EngineSteps steps(Deferred... kinds) {
        return new EngineSteps(new StepRegistry(Map.of()), new StepRunner(this.engine, List.of(kinds)));
    }

    @Override
    public void close() {
        this.engine.close();
    }
}
