package dev.deadline.engine;

import dev.deadline.Deadline.Registration;
import dev.deadline.Reason;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The cancel hooks of one scope, newest first. Each is handed out at most once. */
final class Hooks {

    // All links are guarded by the monitor of this list: registering, removing and handing out meet here.
    private @Nullable Entry newest;

    private long lastStartNanos;

    private int running;

    synchronized Registration add(Consumer<? super Reason> hook) {
        Entry entry = new Entry(hook);
        entry.older = this.newest;
        if (this.newest != null) {
            this.newest.newer = entry;
        }
        this.newest = entry;
        return entry;
    }

    synchronized boolean isEmpty() {
        return this.newest == null;
    }

    /** Takes the newest hook out of the list. */
    synchronized @Nullable Consumer<? super Reason> poll() {
        Entry entry = this.newest;
        if (entry == null) {
            return null;
        }
        unlink(entry);
        return entry.hook;
    }

    /** Takes one hook out; false if it was taken before. */
    synchronized boolean remove(Registration registration) {
        if (registration instanceof Entry entry && entry.linked) {
            unlink(entry);
            return true;
        }
        return false;
    }

    synchronized void clear() {
        this.newest = null;
    }

    /** Whether a runner should be sent: there is something to run, and no runner is at it or only one that hangs. */
    synchronized boolean needsRunner(long now, long limitNanos) {
        return this.newest != null && (this.running == 0 || now - this.lastStartNanos > limitNanos);
    }

    synchronized void begins(long now) {
        this.running++;
        this.lastStartNanos = now;
    }

    synchronized void ends() {
        this.running--;
    }

    private void unlink(Entry entry) {
        if (entry.older != null) {
            entry.older.newer = entry.newer;
        }
        if (entry.newer != null) {
            entry.newer.older = entry.older;
        }
        if (this.newest == entry) {
            this.newest = entry.older;
        }
        entry.older = null;
        entry.newer = null;
        entry.linked = false;
    }

    private final class Entry implements Registration {

        private final Consumer<? super Reason> hook;

        private boolean linked = true;

        private @Nullable Entry older;

        private @Nullable Entry newer;

        Entry(Consumer<? super Reason> hook) {
            this.hook = hook;
        }

        @Override
        public void close() {
            remove(this);
        }
    }
}
