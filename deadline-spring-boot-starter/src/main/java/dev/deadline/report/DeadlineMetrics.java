package dev.deadline.report;

import dev.deadline.DeadlineListener;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.StepRegistry;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;

/**
 * Counts and times what happens. All tags are from closed sets: declared step names, codes of enums, known headers.
 * Should a name come from elsewhere all the same, it is counted as {@code other} once there are too many. Thread-safe;
 * for a step that was seen before it allocates nothing.
 */
public final class DeadlineMetrics implements DeadlineListener {

    private static final int MAX_HEADERS = 16;

    private static final int MAX_CLIENTS = 16;

    private final MeterRegistry registry;

    private final BoundedMeters<StepTimers> steps;

    private final OutcomeTimers requests;

    private final BoundedMeters<Timer> overruns;

    private final BoundedMeters<Counter> ignoredHeaders;

    private final BoundedMeters<Counter> endless;

    private final BoundedMeters<Counter> unboundedCalls;

    private final GateCounters gate;

    private final Timer queue;

    private final Counter storeFailures;

    private final Counter sharedTokens;

    public DeadlineMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.steps = new BoundedMeters<>(StepRegistry.MAX_STEPS, step -> new StepTimers(registry, step));
        this.requests = new OutcomeTimers(
                registry, "deadline.request", "Time until a request was answered or given up", Tags.empty());
        this.overruns = new BoundedMeters<>(
                StepRegistry.MAX_STEPS,
                step -> Timer.builder("deadline.overrun")
                        .description("How long work went on after it was told to stop")
                        .tag("step", step)
                        .register(registry));
        this.ignoredHeaders = new BoundedMeters<>(
                MAX_HEADERS,
                header -> Counter.builder("deadline.inbound.ignored")
                        .description("Time limits of callers that could not be read")
                        .tag("header", header)
                        .register(registry));
        this.endless = new BoundedMeters<>(
                StepRegistry.MAX_STEPS,
                step -> Counter.builder("deadline.overrun.endless")
                        .description("Times that work went on for ten graces after it was told to stop")
                        .tag("step", step)
                        .register(registry));
        this.unboundedCalls = new BoundedMeters<>(
                MAX_CLIENTS,
                client -> Counter.builder("deadline.unbounded")
                        .description("Outbound calls in threads that belong to no request and have no deadline")
                        .tag("client", client)
                        .register(registry));
        this.gate = new GateCounters(registry);
        this.queue = Timer.builder("deadline.queue")
                .description("Time that requests waited for a thread, as far as it is known")
                .register(registry);
        this.storeFailures = Counter.builder("deadline.gate.store.failures")
                .description("Requests let in because the shared store of rate limits did not answer")
                .register(registry);
        this.sharedTokens = Counter.builder("deadline.gate.shared.tokens")
                .description("Tokens that came from many addresses")
                .register(registry);
    }

    /** From now on shows what an engine is busy with, too. To be called once. */
    public void watch(DeadlineEngine engine) {
        Gauge.builder("deadline.inflight", engine, DeadlineEngine::inFlight)
                .description("Requests that have begun and not ended")
                .register(this.registry);
        FunctionCounter.builder("deadline.hooks.delayed", engine, DeadlineEngine::delayedHooks)
                .description("Times that cancel hooks had to wait because every thread for them was busy")
                .register(this.registry);
    }

    @Override
    public void stepFinished(StepEvent event) {
        this.steps.get(event.step()).get(event).record(event.waitedNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void overran(String step, long overrunNanos) {
        this.overruns.get(step).record(overrunNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void overrunning(String step, long overrunNanos, StackTraceElement[] stack) {
        this.endless.get(step).increment();
    }

    @Override
    public void unboundedCall(String client) {
        this.unboundedCalls.get(client).increment();
    }

    @Override
    public void gateRefused(GateEvent event) {
        this.gate.count(event);
    }

    @Override
    public void limitStoreFailed() {
        this.storeFailures.increment();
    }

    @Override
    public void tokenShared(String token, int addresses) {
        this.sharedTokens.increment();
    }

    @Override
    public void requestFinished(RequestEvent event) {
        if (event.queuedNanos() >= 0) {
            this.queue.record(event.queuedNanos(), TimeUnit.NANOSECONDS);
        }
        this.requests
                .get(event.outcome(), event.reason(), event.enforced())
                .record(event.durationNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void inboundIgnored(String header) {
        this.ignoredHeaders.get(header).increment();
    }
}
