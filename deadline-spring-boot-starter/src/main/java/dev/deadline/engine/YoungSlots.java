package dev.deadline.engine;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Where an alarm waits until it has been armed for a while. Most work ends sooner, and its alarm then leaves by one
 * CAS without ever having met the timer thread. Threads are spread over stripes that share no cache line.
 */
final class YoungSlots {

    private static final int SLOTS_PER_STRIPE = 32;

    private static final int PROBES = 4;

    private final int stripes = Integer.highestOneBit(Runtime.getRuntime().availableProcessors() * 4 - 1);

    private final AtomicReferenceArray<@Nullable Alarm> slots =
            new AtomicReferenceArray<>(this.stripes * SLOTS_PER_STRIPE);

    /** Whether a free slot was found. */
    boolean offer(Alarm alarm) {
        int mixed = (int) (Thread.currentThread().getId() * 0x9E3779B97F4A7C15L >>> 32);
        int stripe = (mixed & (this.stripes - 1)) * SLOTS_PER_STRIPE;
        for (int probe = 0; probe < PROBES; probe++) {
            int slot = stripe + ((mixed >>> 16) + probe & SLOTS_PER_STRIPE - 1);
            if (this.slots.getPlain(slot) == null) {
                // Before the CAS that publishes it: the timer reads it only after.
                alarm.slot = slot;
                if (this.slots.compareAndSet(slot, null, alarm)) {
                    return true;
                }
            }
        }
        alarm.slot = -1;
        return false;
    }

    /** Whether the alarm was still in its slot; if not, the timer thread has taken it. */
    boolean remove(Alarm alarm) {
        return alarm.slot >= 0 && this.slots.compareAndSet(alarm.slot, alarm, null);
    }

    int length() {
        return this.slots.length();
    }

    @Nullable
    Alarm get(int slot) {
        return this.slots.get(slot);
    }

    /** Takes the alarm out on behalf of the timer; false if its owner was quicker. */
    boolean take(int slot, Alarm alarm) {
        return this.slots.compareAndSet(slot, alarm, null);
    }
}
