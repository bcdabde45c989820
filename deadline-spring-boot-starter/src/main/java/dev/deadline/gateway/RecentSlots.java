package dev.deadline.gateway;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Numbers of the last moments, kept by slots of time and forgotten slot by slot. Lock-free; allocates nothing.
 *
 * <p>Each slot is one long, so that its time and its number change together: the low 40 bits are the number, the high 24
 * say which slot since the clock began it is.
 */
final class RecentSlots {

    private static final int VALUE_BITS = 40;

    private static final long VALUE_MASK = (1L << VALUE_BITS) - 1;

    private static final int EPOCH_BITS = 64 - VALUE_BITS;

    private static final long EPOCH_MASK = (1L << EPOCH_BITS) - 1;

    private final long slotNanos;

    private final AtomicLongArray slots;

    /**
     * @param slots how many are kept; a power of two
     */
    RecentSlots(long slotNanos, int slots) {
        this.slotNanos = slotNanos;
        this.slots = new AtomicLongArray(slots);
    }

    /** Adds to the number of the present slot. */
    void add(long now, long value) {
        long epoch = epoch(now);
        int index = index(epoch);
        while (true) {
            long found = this.slots.get(index);
            long age = age(epoch, found);
            if (age < 0) {
                // The caller was held up for a round, and its slot is gone.
                return;
            }
            long sum = (age == 0) ? Math.min((found & VALUE_MASK) + value, VALUE_MASK) : value;
            // Of two that find an old slot, both would begin a new one, and one number would be lost.
            if (this.slots.compareAndSet(index, found, (epoch << VALUE_BITS) | sum)) {
                return;
            }
        }
    }

    /** Notes the number with which the present slot begins, unless that has been noted. */
    void begin(long now, long value) {
        long epoch = epoch(now);
        int index = index(epoch);
        long found = this.slots.get(index);
        if (age(epoch, found) > 0) {
            // Not compared: of two that begin a slot at the same moment, either has the number of that moment.
            this.slots.set(index, (epoch << VALUE_BITS) | Math.min(value, VALUE_MASK));
        }
    }

    /** The sum of the present slot and of those before it. */
    long sum(long now, int before) {
        long epoch = epoch(now);
        long sum = 0;
        for (int back = 0; back <= before; back++) {
            sum += Math.max(0, number(epoch - back));
        }
        return sum;
    }

    /** The largest number of the slots before the present one, which is not complete; 0 if there is none. */
    long largest(long now, int before) {
        long epoch = epoch(now);
        long largest = 0;
        for (int back = 1; back <= before; back++) {
            largest = Math.max(largest, number(epoch - back));
        }
        return largest;
    }

    /** How many slots back the last is that has a number and is at least so many before; just so many if none has. */
    int lastNoted(long now, int before) {
        long epoch = epoch(now);
        for (int back = before; back < this.slots.length(); back++) {
            if (number(epoch - back) >= 0) {
                return back;
            }
        }
        return before;
    }

    /** The number of the slot so many before the present one; 0 if nothing was noted then. */
    long at(long now, int before) {
        return Math.max(0, number(epoch(now) - before));
    }

    private long number(long epoch) {
        long found = this.slots.get(index(epoch));
        return (age(epoch, found) == 0) ? found & VALUE_MASK : -1;
    }

    // How many slots the one that is wanted is after the one that was found, both counted round and round; less than 0
    // if it is before it. Nobody is late by more than some rounds: what looks like that is very old.
    private long age(long epoch, long found) {
        if (found == 0) {
            return 1;
        }
        long difference = (epoch - (found >>> VALUE_BITS)) & EPOCH_MASK;
        long age = difference << VALUE_BITS >> VALUE_BITS;
        return (age < -4L * this.slots.length()) ? EPOCH_MASK : age;
    }

    private long epoch(long now) {
        return Math.floorDiv(now, this.slotNanos) & EPOCH_MASK;
    }

    private int index(long epoch) {
        return (int) (epoch & (this.slots.length() - 1));
    }
}
