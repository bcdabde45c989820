package dev.deadline.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Time that stands still until a test moves it, and rings what became due on the test's thread. */
final class ManualWatchdog implements Watchdog, MonotonicClock {

    private final AtomicLong now = new AtomicLong(System.nanoTime());

    private final List<Alarm> armed = new ArrayList<>();

    @Override
    public long nanoTime() {
        return this.now.get();
    }

    /** Moves the time without ringing, as a timer that is late. */
    void advanceUnheard(long millis) {
        this.now.addAndGet(Duration.ofMillis(millis).toNanos());
    }

    void advance(long millis) {
        advance(Duration.ofMillis(millis));
    }

    void advance(Duration duration) {
        long end = this.now.addAndGet(Nanos.of(duration));
        Alarm due = nextDue(end);
        while (due != null) {
            if (Alarm.STATE.compareAndSet(due, Alarm.ARMED, Alarm.RUNG)) {
                due.ring();
            }
            due = nextDue(end);
        }
    }

    private synchronized Alarm nextDue(long end) {
        Alarm due = this.armed.stream()
                .filter(alarm -> alarm.endNanos - end <= 0)
                .min(Comparator.comparingLong(alarm -> alarm.endNanos - end))
                .orElse(null);
        this.armed.remove(due);
        return due;
    }

    synchronized int armedCount() {
        return this.armed.size();
    }

    @Override
    public synchronized void arm(Alarm alarm) {
        alarm.state = Alarm.ARMED;
        this.armed.add(alarm);
    }

    @Override
    public synchronized void disarm(Alarm alarm) {
        if (Alarm.STATE.compareAndSet(alarm, Alarm.ARMED, Alarm.DISARMED)) {
            this.armed.remove(alarm);
        }
    }

    @Override
    public void close() {}
}
