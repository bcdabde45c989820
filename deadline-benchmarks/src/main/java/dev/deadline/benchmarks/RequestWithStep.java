package dev.deadline.benchmarks;

import dev.deadline.DeadlineListener;
import dev.deadline.OnTimeout;
import dev.deadline.Outcome;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.EngineSettings;
import dev.deadline.engine.InterruptPolicy;
import dev.deadline.engine.Mode;
import dev.deadline.engine.ModeSwitch;
import dev.deadline.engine.MonotonicClock;
import dev.deadline.engine.Section;
import dev.deadline.engine.StepDefinition;
import dev.deadline.engine.StepPolicy;
import dev.deadline.engine.StepRegistry;
import dev.deadline.engine.StepRunner;
import dev.deadline.engine.UpstreamFailures;
import dev.deadline.report.DeadlineMetrics;
import dev.deadline.report.InboundLog;
import dev.deadline.report.TimeoutLog;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.aopalliance.intercept.MethodInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A request with an hour to go, bound to the thread, and work that is a step of 250 ms in it. */
@State(Scope.Thread)
public class RequestWithStep {

    /** Whether steps are logged and measured, as they are in an application. */
    @Param({"true", "false"})
    boolean reported;

    Greeter step;

    private DeadlineEngine engine;

    private dev.deadline.engine.Scope request;

    private Section section;

    @Setup
    public void open() {
        List<DeadlineListener> listeners = this.reported
                ? List.of(
                        new TimeoutLog(),
                        new InboundLog(MonotonicClock.SYSTEM),
                        new DeadlineMetrics(new SimpleMeterRegistry()))
                : List.of();
        this.engine = DeadlineEngine.start(
                new EngineSettings(TimeUnit.MILLISECONDS.toNanos(20), InterruptPolicy.STEPS, 16, false),
                new ModeSwitch(Mode.ENFORCE),
                new UpstreamFailures(),
                listeners);
        StepRunner runner = new StepRunner(this.engine, List.of());
        StepPolicy policy = new StepRegistry(Map.of())
                .register(StepDefinition.of("greeting", OnTimeout.CLOSED)
                        .withTimeout(TimeUnit.MILLISECONDS.toNanos(250)));
        this.step = AdvisedGreeter.by(invocation -> runner.run(policy, String.class, () -> proceed(invocation), null));
        this.request = this.engine.openRequest(
                System.nanoTime(), TimeUnit.HOURS.toNanos(1), TimeUnit.MILLISECONDS.toNanos(800), Mode.ENFORCE, false);
        this.section = this.engine.bind(this.request);
    }

    @TearDown
    public void close() {
        this.section.close();
        this.engine.finishRequest(this.request, Outcome.OK, null);
        this.engine.close();
    }

    private static Object proceed(MethodInvocation invocation) throws Exception {
        try {
            return invocation.proceed();
        } catch (Exception | Error ex) {
            throw ex;
        } catch (Throwable ex) {
            throw new IllegalStateException(ex);
        }
    }
}
