package dev.deadline.gateway;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;

/**
 * Tomcat's virtual threads, which stamp what they are started for. Their queue is the scheduler's, which nobody can look into:
 * those are counted that have been started and do not run yet.
 */
final class StampingVirtualThreads extends VirtualThreadExecutor implements ArrivalQueue {

    private final VirtualThreadExecutor threads;

    private final AtomicInteger waiting = new AtomicInteger();

    /** @param threads that are really used, so that they keep their names */
    StampingVirtualThreads(VirtualThreadExecutor threads) {
        super("");
        this.threads = threads;
    }

    @Override
    public void execute(Runnable work) {
        Runnable stamped = StampedWork.arrivingNow(work);
        // Several threads bring work, and each takes itself off the count as soon as it runs.
        this.waiting.incrementAndGet();
        this.threads.execute(() -> {
            this.waiting.decrementAndGet();
            stamped.run();
        });
    }

    @Override
    public void shutdown() {
        this.threads.shutdown();
    }

    @Override
    public boolean isShutdown() {
        return this.threads.isShutdown();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return this.threads.awaitTermination(timeout, unit);
    }

    @Override
    public int size() {
        return this.waiting.get();
    }
}
