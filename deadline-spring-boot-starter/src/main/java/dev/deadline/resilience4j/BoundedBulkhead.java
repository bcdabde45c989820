package dev.deadline.resilience4j;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A bulkhead in front of which nobody waits longer than there is time. */
record BoundedBulkhead(Bulkhead entry) implements Bulkhead, Bounded<Bulkhead> {

    @Override
    public boolean tryAcquirePermission() {
        Scope scope = TimeLeft.current();
        if (scope == null) {
            return this.entry.tryAcquirePermission();
        }
        boolean permitted = false;
        if (!scope.isExpired()) {
            try (Section section = DeadlineEngine.interruptible()) {
                permitted = this.entry.tryAcquirePermission();
            }
        }
        throwIfOver(scope, permitted);
        return permitted;
    }

    @Override
    public void acquirePermission() {
        Scope scope = TimeLeft.current();
        if (scope == null) {
            this.entry.acquirePermission();
            return;
        }
        throwIfOver(scope, false);
        try (Section section = DeadlineEngine.interruptible()) {
            this.entry.acquirePermission();
        } catch (RuntimeException ex) {
            throwIfOver(scope, false);
            throw ex;
        }
        throwIfOver(scope, true);
    }

    // A permit that came with the end of the time is of no use: it goes back, or it would be lost.
    private void throwIfOver(Scope scope, boolean permitted) {
        if (scope.isExpired()) {
            if (permitted) {
                this.entry.releasePermission();
            }
            throw TimeLeft.stopped(scope, "bulkhead '" + getName() + "'");
        }
    }

    @Override
    public <T> CompletionStage<T> executeCompletionStage(Supplier<CompletionStage<T>> supplier) {
        return GuardedStage.call(supplier, work -> Bulkhead.decorateCompletionStage(this, work));
    }

    @Override
    public void releasePermission() {
        this.entry.releasePermission();
    }

    @Override
    public void onComplete() {
        this.entry.onComplete();
    }

    @Override
    public void changeConfig(BulkheadConfig config) {
        this.entry.changeConfig(config);
    }

    @Override
    public String getName() {
        return this.entry.getName();
    }

    @Override
    public BulkheadConfig getBulkheadConfig() {
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
    public EventPublisher getEventPublisher() {
        return this.entry.getEventPublisher();
    }

    @Override
    public String toString() {
        return this.entry.toString();
    }
}
