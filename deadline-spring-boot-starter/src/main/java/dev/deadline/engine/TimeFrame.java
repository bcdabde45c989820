package dev.deadline.engine;

import dev.deadline.Deadline;
import dev.deadline.engine.Scope.Kind;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How much time a scope has, and where it stands among others. Nothing here changes. */
abstract sealed class TimeFrame extends Alarm implements Deadline permits Scope {

    final Budget budget;

    final @Nullable Scope parent;

    final Kind kind;

    /** The step it belongs to, for reports. */
    final String name;

    final long startNanos;

    private final boolean bounded;

    // Of the scope that this one was carried from. Kept, as the time is looked at often.
    private final Kind originKind;

    TimeFrame(Budget budget, @Nullable Scope parent, Kind kind, String name, long startNanos, long lengthNanos) {
        // Capped, so that comparing by subtraction stays right whatever the configured length.
        super(startNanos + Math.min(lengthNanos, 1L << 62));
        this.budget = budget;
        this.parent = parent;
        this.kind = kind;
        this.name = name;
        this.startNanos = startNanos;
        this.bounded = lengthNanos != Budget.UNBOUNDED;
        this.originKind = (kind == Kind.CARRIED && parent != null) ? ((TimeFrame) parent).originKind : kind;
    }

    /** Whether it ended before its work did. */
    abstract boolean isCancelled();

    /** The present, by the clock that this scope goes by: what is cut goes by the real one. */
    final long now() {
        return at(this.budget.engine.clock().nanoTime());
    }

    private long at(long clockNanos) {
        boolean cut = this.originKind == Kind.STEP || this.originKind == Kind.FALLBACK;
        return cut ? clockNanos : this.budget.at(clockNanos);
    }

    final long remainingNanos(long now) {
        if (!this.bounded) {
            return Budget.UNBOUNDED;
        }
        return isCancelled() ? 0 : Math.max(0, this.endNanos - now);
    }

    /** The time left at a reading of the engine's clock; {@link Budget#UNBOUNDED} if it has no end. */
    public final long remainingAt(long clockNanos) {
        return remainingNanos(at(clockNanos));
    }

    /** The time left of the whole request at a reading of the engine's clock. */
    final long requestRemainingAt(long clockNanos) {
        return root().remainingNanos(this.budget.at(clockNanos));
    }

    /** The outermost scope: that of the request, or of the background job. */
    final Scope root() {
        TimeFrame frame = this;
        while (frame.parent != null) {
            frame = frame.parent;
        }
        return (Scope) frame;
    }

    @Override
    public final Instant startedAt() {
        return Instant.now().minusNanos(now() - this.startNanos);
    }

    @Override
    public final Duration remaining() {
        return Duration.ofNanos(remainingNanos(now()));
    }

    @Override
    public final boolean isBounded() {
        return this.bounded;
    }

    @Override
    public final Duration allow(Duration desired) {
        return allow(desired, this.budget.reserveNanos);
    }

    @Override
    public final Duration allow(Duration desired, Duration reserve) {
        if (reserve.isNegative()) {
            throw new IllegalArgumentException("reserve must not be negative, but is " + reserve);
        }
        return allow(desired, Nanos.of(reserve));
    }

    private Duration allow(Duration desired, long reserveNanos) {
        Nanos.ofPositive("desired", desired);
        if (!this.bounded || !this.budget.isEnforced()) {
            return desired;
        }
        long now = this.budget.engine.clock().nanoTime();
        long withheld = requestRemainingAt(now) - reserveNanos;
        long allowed = Math.max(0, Math.min(remainingAt(now), withheld));
        return (Nanos.of(desired) <= allowed) ? desired : Duration.ofNanos(allowed);
    }

    /** What happened to the steps of the request; null outside a request. */
    public final @Nullable StepLedger ledger() {
        return this.budget.ledger();
    }

    /** Whether what this scope is for is cut at its end; false where it is only observed. */
    public final boolean isEnforced() {
        return this.budget.isEnforced() || this.originKind == Kind.STEP;
    }

    /** The scope that this one was carried from; this one if it was not. */
    public final Scope origin() {
        TimeFrame frame = this;
        while (frame.kind == Kind.CARRIED && frame.parent != null) {
            frame = frame.parent;
        }
        return (Scope) frame;
    }

    /** Whether this is the scope of a step, or lies inside one. */
    public final boolean isInsideStep() {
        for (TimeFrame frame = this; frame != null; frame = frame.parent) {
            if (frame.kind == Kind.STEP) {
                return true;
            }
        }
        return false;
    }

    /** Whether the end of a scope around this one comes first, or at the same moment. */
    final boolean isNotBefore(Scope outer) {
        return outer.isBounded() && this.endNanos - outer.endNanos >= 0;
    }
}
