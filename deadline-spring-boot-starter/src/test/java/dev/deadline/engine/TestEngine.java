package dev.deadline.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.DeadlineListener;
import dev.deadline.OnTimeout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** An engine on a clock that the test moves, and what it reported. */
final class TestEngine implements AutoCloseable {

    final ManualWatchdog time = new ManualWatchdog();

    final ModeSwitch mode = new ModeSwitch(Mode.ENFORCE);

    final Recorder recorder = new Recorder();

    final DeadlineEngine engine;

    final StepRunner runner;

    TestEngine() {
        this(InterruptPolicy.STEPS, new UpstreamFailures());
    }

    TestEngine(InterruptPolicy interrupt) {
        this(interrupt, new UpstreamFailures());
    }

    TestEngine(FailureClassifier failures) {
        this(InterruptPolicy.STEPS, failures);
    }

    private TestEngine(InterruptPolicy interrupt, FailureClassifier failures) {
        EngineSettings settings = new EngineSettings(
                Duration.ofMillis(20).toNanos(),
                interrupt,
                Duration.ofMillis(150).toNanos(),
                16,
                true);
        this.engine = new DeadlineEngine(this.time, this.time, settings, this.mode, failures, List.of(this.recorder));
        this.runner = new StepRunner(this.engine, List.of());
    }

    Scope request(long budgetMillis, long reserveMillis) {
        return this.engine.openRequest(
                this.time.nanoTime(),
                Duration.ofMillis(budgetMillis).toNanos(),
                Duration.ofMillis(reserveMillis).toNanos(),
                this.mode.mode(),
                false);
    }

    static StepPolicy step(String name, OnTimeout onTimeout, long timeoutMillis) {
        StepDefinition step = StepDefinition.of(name, onTimeout)
                .withTimeout(Duration.ofMillis(timeoutMillis).toNanos());
        return new StepPolicy(step, null);
    }

    /** Waits on the calling thread itself, without blocking, so that the state of its interrupt flag is left alone. */
    static void spinUntil(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("time beyond the limit").isNegative();
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        this.engine.close();
    }

    static final class Recorder implements DeadlineListener {

        final List<StepEvent> steps = new CopyOnWriteArrayList<>();

        final List<StepEvent> fallbacks = new CopyOnWriteArrayList<>();

        final List<RequestEvent> requests = new CopyOnWriteArrayList<>();

        final List<String> overruns = new CopyOnWriteArrayList<>();

        final List<Endless> endless = new CopyOnWriteArrayList<>();

        record Endless(String step, long nanos, StackTraceElement[] stack) {}

        @Override
        public void stepFinished(StepEvent event) {
            this.steps.add(event);
        }

        @Override
        public void fallbackFailed(StepEvent event) {
            this.fallbacks.add(event);
        }

        @Override
        public void requestFinished(RequestEvent event) {
            this.requests.add(event);
        }

        @Override
        public void overran(String step, long overrunNanos) {
            this.overruns.add(step);
        }

        @Override
        public void overrunning(String step, long overrunNanos, StackTraceElement[] stack) {
            this.endless.add(new Endless(step, overrunNanos, stack));
        }
    }
}
