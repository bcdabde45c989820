package dev.deadline.gateway;

import dev.deadline.engine.ArrivalStamp;
import dev.deadline.engine.MonotonicClock;

/**
 * Work in the container's queue, and when it was put there. The container uses its own objects again, even before their run has come to
 * its end, so the time cannot be kept with them.
 */
record StampedWork(Runnable work, long arrivedNanos) implements Runnable {

    static StampedWork arrivingNow(Runnable work) {
        return new StampedWork(work, MonotonicClock.SYSTEM.nanoTime());
    }

    @Override
    public void run() {
        ArrivalStamp.put(this.arrivedNanos);
        try {
            this.work.run();
        } finally {
            ArrivalStamp.clear();
        }
    }
}
