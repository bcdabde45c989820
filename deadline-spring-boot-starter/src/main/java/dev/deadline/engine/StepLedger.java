package dev.deadline.engine;

import dev.deadline.Reason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What happened to the steps of one request: what goes into the headers of its response. Written by every thread that
 * works for the request, read by the one that commits the response.
 */
public final class StepLedger {

    /** One degraded step: the first reason and the longest wait. */
    public record Entry(String step, Reason reason, long waitedNanos) {}

    /** One finished step, degraded or not; for Server-Timing. */
    public record Timing(
            String step, long durationNanos, @Nullable Reason reason) {}

    // More steps than this are counted in metrics, but do not make a longer header.
    private static final int MAX_ENTRIES = 32;

    private final boolean timed;

    // Both guarded by the monitor of this ledger: steps end on several threads at once.
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    private final List<Timing> timings = new ArrayList<>();

    private volatile boolean degraded;

    // The first step whose failure was to end the request. Read by the thread that commits the response.
    private volatile @Nullable String refusedBy;

    /**
     * @param timed whether to keep the duration of every step
     */
    public StepLedger(boolean timed) {
        this.timed = timed;
    }

    /** Enters a degraded or failed step, or one of the reserved names {@code request} and {@code gate}. */
    public synchronized void degraded(String step, Reason reason, long waitedNanos) {
        Entry former = this.entries.get(step);
        if (former != null) {
            long longest = Math.max(former.waitedNanos(), waitedNanos);
            this.entries.put(step, new Entry(step, former.reason(), longest));
        } else if (this.entries.size() < MAX_ENTRIES) {
            this.entries.put(step, new Entry(step, reason, waitedNanos));
        }
        this.degraded = true;
    }

    synchronized void refused(String step) {
        if (this.refusedBy == null) {
            this.refusedBy = step;
        }
    }

    /** The first step that failed in such a way that the request is to be refused; null if there is none. */
    public @Nullable String refusedBy() {
        return this.refusedBy;
    }

    boolean isTimed() {
        return this.timed;
    }

    synchronized void timed(String step, long durationNanos, @Nullable Reason reason) {
        if (this.timings.size() < MAX_ENTRIES) {
            this.timings.add(new Timing(step, durationNanos, reason));
        }
    }

    /** Whether any step was entered. Cheap: asked at every commit. */
    public boolean isDegraded() {
        return this.degraded;
    }

    /** The entries so far, in the order in which the steps first degraded. */
    public synchronized List<Entry> entries() {
        return List.copyOf(this.entries.values());
    }

    /** The finished steps so far; empty unless timed. */
    public synchronized List<Timing> timings() {
        return List.copyOf(this.timings);
    }
}
