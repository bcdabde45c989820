package dev.deadline.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Something to ring at a moment of the monotonic clock. It is its own timer node, so that arming allocates nothing; it
 * can be armed once.
 */
abstract class Alarm {

    static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Alarm.class, "state", int.class);
        } catch (ReflectiveOperationException ex) {
            throw new ExceptionInInitializerError(ex);
        }
    }

    static final int IDLE = 0;

    static final int ARMED = 1;

    static final int DISARMED = 2;

    static final int RUNG = 3;

    /** When to ring; fixed before arming. */
    final long endNanos;

    // ARMED -> DISARMED by the owner or ARMED -> RUNG by the timer, by CAS: closes the race between the end of the
    // work and the timer, so that a disarmed alarm never rings.
    volatile int state;

    // The owner's: which young slot holds this alarm, or -1. Written before the slot is filled.
    int slot = -1;

    // The timer thread's: position in its heap, or -1.
    int heapIndex = -1;

    // Links of the two stacks that lead to the timer thread. Two, because an alarm may be disarmed while it still waits
    // to be looked at for the first time.
    @Nullable
    Alarm nextArrived;

    @Nullable
    Alarm nextLeft;

    Alarm(long endNanos) {
        this.endNanos = endNanos;
    }

    final boolean isArmed() {
        return this.state == ARMED;
    }

    /** Called once by the timer thread, which must not be held up. */
    abstract void ring();
}
