package dev.deadline.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A binary heap of alarms, nearest first, from which any can be removed in logarithmic time. For one thread. */
final class AlarmHeap {

    private @Nullable Alarm[] alarms = new Alarm[64];

    private int size;

    int size() {
        return this.size;
    }

    @Nullable
    Alarm peek() {
        return this.alarms[0];
    }

    void add(Alarm alarm) {
        if (this.size == this.alarms.length) {
            this.alarms = Arrays.copyOf(this.alarms, this.size * 2);
        }
        siftUp(this.size++, alarm);
    }

    void remove(Alarm alarm) {
        int index = alarm.heapIndex;
        if (index < 0) {
            return;
        }
        alarm.heapIndex = -1;
        Alarm last = this.alarms[--this.size];
        this.alarms[this.size] = null;
        if (last == null || last == alarm) {
            return;
        }
        siftDown(index, last);
        if (this.alarms[index] == last) {
            siftUp(index, last);
        }
    }

    private void siftUp(int start, Alarm alarm) {
        int index = start;
        while (index > 0) {
            int parentIndex = (index - 1) >>> 1;
            Alarm parent = this.alarms[parentIndex];
            if (parent == null || !isBefore(alarm, parent)) {
                break;
            }
            place(index, parent);
            index = parentIndex;
        }
        place(index, alarm);
    }

    private void siftDown(int start, Alarm alarm) {
        int index = start;
        while (true) {
            int childIndex = 2 * index + 1;
            if (childIndex >= this.size) {
                break;
            }
            Alarm child = this.alarms[childIndex];
            Alarm right = (childIndex + 1 < this.size) ? this.alarms[childIndex + 1] : null;
            if (right != null && child != null && isBefore(right, child)) {
                child = right;
                childIndex++;
            }
            if (child == null || !isBefore(child, alarm)) {
                break;
            }
            place(index, child);
            index = childIndex;
        }
        place(index, alarm);
    }

    private void place(int index, Alarm alarm) {
        this.alarms[index] = alarm;
        alarm.heapIndex = index;
    }

    // By subtraction, as readings of the monotonic clock may wrap around.
    private static boolean isBefore(Alarm a, Alarm b) {
        return a.endNanos - b.endNanos < 0;
    }
}
