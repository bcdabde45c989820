package dev.deadline.engine;

import java.lang.Thread.UncaughtExceptionHandler;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The watchdog of an application: one daemon thread. Arming and disarming are lock-free and take constant time; an
 * alarm that is disarmed within a tick or two never meets the thread.
 *
 * <p>The thread ticks every 8 ms while there is work about, then sleeps until the next alarm, or for good.
 */
final class ThreadWatchdog implements Watchdog {

    private static final long FAR_NANOS = 1L << 62;

    private final MonotonicClock clock;

    private final long tickNanos;

    private final long tickingNanos;

    private final YoungSlots young = new YoungSlots();

    // What the last tick saw in each slot: an alarm seen twice is moved to the heap.
    private final @Nullable Alarm[] seen = new Alarm[this.young.length()];

    private final AlarmHeap heap = new AlarmHeap();

    // Armed alarms that found no free slot, and disarmed ones that had left theirs: stacks pushed by anyone, emptied
    // by the timer thread.
    private final AtomicReference<@Nullable Alarm> arrived = new AtomicReference<>();

    private final AtomicReference<@Nullable Alarm> left = new AtomicReference<>();

    // Volatile, written by the timer thread before its last look round, read by others after they published an alarm:
    // either the timer sees the alarm or the other sees that it must wake the timer.
    private volatile long nextWakeNanos;

    private volatile boolean ticking;

    private volatile boolean closed;

    private long lastWorkNanos;

    private final Thread thread;

    ThreadWatchdog(MonotonicClock clock) {
        this(clock, TimeUnit.MILLISECONDS.toNanos(8), TimeUnit.SECONDS.toNanos(1));
    }

    /**
     * @param tickNanos how often to look for alarms that stay
     * @param tickingNanos how long to go on with that when there was nothing more to do
     */
    ThreadWatchdog(MonotonicClock clock, long tickNanos, long tickingNanos) {
        this.clock = clock;
        this.tickNanos = tickNanos;
        this.tickingNanos = tickingNanos;
        this.thread = new Thread(this::watch, "deadline-watchdog");
        this.thread.setDaemon(true);
    }

    /** Starts the thread; without it nothing rings. */
    ThreadWatchdog start() {
        this.thread.start();
        return this;
    }

    @Override
    public void arm(Alarm alarm) {
        // A plain write, for the CAS that shows the alarm to the timer comes after it.
        Alarm.STATE.set(alarm, Alarm.ARMED);
        if (!this.young.offer(alarm)) {
            Alarm head;
            do {
                head = this.arrived.get();
                alarm.nextArrived = head;
            } while (!this.arrived.compareAndSet(head, alarm));
        }
        if (!this.ticking || alarm.endNanos - this.nextWakeNanos < 0) {
            LockSupport.unpark(this.thread);
        }
    }

    @Override
    public void disarm(Alarm alarm) {
        if (!Alarm.STATE.compareAndSet(alarm, Alarm.ARMED, Alarm.DISARMED) || this.young.remove(alarm)) {
            return;
        }
        Alarm head;
        do {
            head = this.left.get();
            alarm.nextLeft = head;
        } while (!this.left.compareAndSet(head, alarm));
        if (!this.ticking) {
            LockSupport.unpark(this.thread);
        }
    }

    @Override
    public void close() {
        this.closed = true;
        LockSupport.unpark(this.thread);
    }

    Thread thread() {
        return this.thread;
    }

    /** Whether nothing is armed or still to be forgotten. A look from outside, exact only when nothing moves. */
    boolean isEmpty() {
        for (int slot = 0; slot < this.young.length(); slot++) {
            if (this.young.get(slot) != null) {
                return false;
            }
        }
        return this.arrived.get() == null && this.left.get() == null && this.heap.size() == 0;
    }

    private void watch() {
        this.lastWorkNanos = this.clock.nanoTime();
        while (!this.closed) {
            long now = this.clock.nanoTime();
            boolean busy = forgetDisarmed() | takeArrived() | takeYoung(now + this.tickNanos);
            ringDue(now);
            if (busy) {
                this.lastWorkNanos = now;
            }
            boolean goOnTicking = now - this.lastWorkNanos < this.tickingNanos;
            long wake = now + (goOnTicking ? this.tickNanos : FAR_NANOS);
            Alarm nearest = this.heap.peek();
            if (nearest != null && nearest.endNanos - wake < 0) {
                wake = nearest.endNanos;
            }
            this.nextWakeNanos = wake;
            this.ticking = goOnTicking;
            if (!hasWorkBefore(wake, goOnTicking)) {
                LockSupport.parkNanos(this, wake - this.clock.nanoTime());
            }
        }
    }

    private boolean forgetDisarmed() {
        Alarm alarm = this.left.getAndSet(null);
        boolean any = alarm != null;
        while (alarm != null) {
            Alarm following = alarm.nextLeft;
            alarm.nextLeft = null;
            this.heap.remove(alarm);
            alarm = following;
        }
        return any;
    }

    private boolean takeArrived() {
        Alarm alarm = this.arrived.getAndSet(null);
        boolean any = alarm != null;
        while (alarm != null) {
            Alarm following = alarm.nextArrived;
            alarm.nextArrived = null;
            if (alarm.isArmed()) {
                this.heap.add(alarm);
            }
            alarm = following;
        }
        return any;
    }

    private boolean takeYoung(long nextTickNanos) {
        boolean any = false;
        for (int slot = 0; slot < this.seen.length; slot++) {
            Alarm alarm = this.young.get(slot);
            if (alarm != null) {
                any = true;
                boolean old = this.seen[slot] == alarm || alarm.endNanos - nextTickNanos < 0;
                if (old && this.young.take(slot, alarm)) {
                    // Unless it was disarmed before it had its slot, and its owner could not take it out.
                    if (alarm.isArmed()) {
                        this.heap.add(alarm);
                    }
                    alarm = null;
                }
            }
            this.seen[slot] = alarm;
        }
        return any;
    }

    private void ringDue(long now) {
        Alarm alarm = this.heap.peek();
        while (alarm != null && alarm.endNanos - now <= 0) {
            this.heap.remove(alarm);
            if (Alarm.STATE.compareAndSet(alarm, Alarm.ARMED, Alarm.RUNG)) {
                ring(alarm);
            }
            alarm = this.heap.peek();
        }
    }

    private void ring(Alarm alarm) {
        try {
            alarm.ring();
        } catch (Throwable ex) {
            // One broken alarm must not silence the others.
            UncaughtExceptionHandler handler = this.thread.getUncaughtExceptionHandler();
            if (handler != null) {
                handler.uncaughtException(this.thread, ex);
            }
        }
    }

    private boolean hasWorkBefore(long wake, boolean goesOnTicking) {
        if (this.closed || this.arrived.get() != null) {
            return true;
        }
        if (!goesOnTicking && this.left.get() != null) {
            return true;
        }
        for (int slot = 0; slot < this.seen.length; slot++) {
            Alarm alarm = this.young.get(slot);
            if (alarm != null && (!goesOnTicking || alarm.endNanos - wake < 0)) {
                return true;
            }
        }
        return false;
    }
}
