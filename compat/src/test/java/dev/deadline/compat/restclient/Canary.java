package dev.deadline.compat.restclient;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A thread that wants to wake every millisecond: what it wakes late is the machine's doing. */
final class Canary implements AutoCloseable {

    private volatile long largest;

    private volatile boolean over;

    Canary() {
        Thread thread = new Thread(this::watch, "canary");
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        long last = System.nanoTime();
        while (!this.over) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            long now = System.nanoTime();
            this.largest = Math.max(this.largest, now - last - TimeUnit.MILLISECONDS.toNanos(1));
            last = now;
        }
    }

    /** How late it was at most since it came to life, in milliseconds. */
    long hiccupMillis() {
        return TimeUnit.NANOSECONDS.toMillis(this.largest);
    }

    @Override
    public void close() {
        this.over = true;
    }
}
