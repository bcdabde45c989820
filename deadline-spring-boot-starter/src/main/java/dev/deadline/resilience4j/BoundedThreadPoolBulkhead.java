package dev.deadline.resilience4j;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import dev.deadline.reactive.BoundedStage;
import io.github.resilience4j.bulkhead.ThreadPoolBulkhead;
import io.github.resilience4j.bulkhead.ThreadPoolBulkheadConfig;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;

/**
 * A thread pool bulkhead whose tasks carry the deadline of who submits them. What is still queued at the end of it does
 * not begin; what runs is interrupted, so that its thread is free for others.
 */
record BoundedThreadPoolBulkhead(ThreadPoolBulkhead entry) implements ThreadPoolBulkhead, Bounded<ThreadPoolBulkhead> {

    @Override
    public <T> CompletionStage<T> submit(Callable<T> task) {
        Scope scope = TimeLeft.current();
        if (scope == null) {
            return this.entry.submit(task);
        }
        boolean interrupt = !scope.isInsideStep() || DeadlineEngine.isInterruptible();
        return BoundedStage.cut(this.entry.submit(() -> run(scope, interrupt, task)), scope);
    }

    @Override
    public CompletionStage<Void> submit(Runnable task) {
        return submit(() -> {
            task.run();
            return null;
        });
    }

    private <T> T run(Scope submitted, boolean interrupt, Callable<T> task) throws Exception {
        try (Section carried = DeadlineEngine.carry(submitted)) {
            // If the other was carried too, it has ended with its thread, and does not hear of an abort any more.
            Scope scope = Objects.requireNonNullElse(TimeLeft.current(), submitted);
            if (scope.isExpired()) {
                throw TimeLeft.stopped(scope, "thread pool bulkhead '" + getName() + "'");
            }
            try {
                return interrupt ? interruptibly(task) : task.call();
            } catch (Exception ex) {
                // Whatever the task throws when it is stopped: that its time was up is what counts.
                throw (scope.isExpired() && Stops.of(ex) == null) ? scope.exceeded(ex) : ex;
            }
        }
    }

    private static <T> T interruptibly(Callable<T> task) throws Exception {
        try (Section section = DeadlineEngine.interruptible()) {
            return task.call();
        }
    }

    @Override
    public String getName() {
        return this.entry.getName();
    }

    @Override
    public ThreadPoolBulkheadConfig getBulkheadConfig() {
        return this.entry.getBulkheadConfig();
    }

    @Override
    public Metrics getMetrics() {
        return this.entry.getMetrics();
    }

    @Override
    public Map<String, String> getTags() {
        return this.entry.getTags();
    }

    @Override
    public ThreadPoolBulkheadEventPublisher getEventPublisher() {
        return this.entry.getEventPublisher();
    }

    @Override
    public void close() throws Exception {
        this.entry.close();
    }

    @Override
    public String toString() {
        return this.entry.toString();
    }
}
