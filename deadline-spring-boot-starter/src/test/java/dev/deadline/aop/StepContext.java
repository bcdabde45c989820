package dev.deadline.aop;

import dev.deadline.DeadlineListener;
import dev.deadline.autoconfigure.DeadlineAutoConfiguration;
import dev.deadline.autoconfigure.DeadlineStepAutoConfiguration;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Mode;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Contexts with steps in them, and what the steps reported. */
final class StepContext {

    private StepContext() {}

    static ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DeadlineAutoConfiguration.class,
                        DeadlineStepAutoConfiguration.class,
                        PropertyPlaceholderAutoConfiguration.class))
                .withBean(Recorder.class);
    }

    static ApplicationContextRunner with(Class<?>... beans) {
        ApplicationContextRunner runner = runner();
        for (Class<?> bean : beans) {
            runner = runner.withUserConfiguration(bean);
        }
        return runner;
    }

    static Request request(DeadlineEngine engine, Duration budget, Duration reserve) {
        Scope scope =
                engine.openRequest(engine.clock().nanoTime(), budget.toNanos(), reserve.toNanos(), Mode.ENFORCE, false);
        return new Request(scope, engine.bind(scope));
    }

    record Request(Scope scope, Section section) implements AutoCloseable {

        @Override
        public void close() {
            this.scope.complete();
            this.section.close();
        }
    }

    static final class Recorder implements DeadlineListener {

        final List<StepEvent> steps = new CopyOnWriteArrayList<>();

        final List<StepEvent> failedFallbacks = new CopyOnWriteArrayList<>();

        final List<String> overruns = new CopyOnWriteArrayList<>();

        @Override
        public void stepFinished(StepEvent event) {
            this.steps.add(event);
        }

        @Override
        public void fallbackFailed(StepEvent event) {
            this.failedFallbacks.add(event);
        }

        @Override
        public void overran(String step, long overrunNanos) {
            this.overruns.add(step);
        }
    }
}
