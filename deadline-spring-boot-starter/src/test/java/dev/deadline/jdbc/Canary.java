package dev.deadline.jdbc;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Notices how long the machine keeps a thread from running that wants to. */
final class Canary implements AutoCloseable {

    private static final long NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private volatile boolean singing = true;

    private volatile long longestNanos;

    Canary() {
        Thread thread = new Thread(this::sing, "canary");
        thread.setDaemon(true);
        thread.start();
    }

    private void sing() {
        while (this.singing) {
            long start = System.nanoTime();
            LockSupport.parkNanos(NAP_NANOS);
            this.longestNanos = Math.max(this.longestNanos, System.nanoTime() - start - NAP_NANOS);
        }
    }

    long longestMillis() {
        return TimeUnit.NANOSECONDS.toMillis(this.longestNanos);
    }

    @Override
    public void close() {
        this.singing = false;
    }
}
