package dev.deadline.engine;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What all scopes of one request, or of one background job, have in common: how long it may take and what is withheld.
 */
public final class Budget {

    /** The length of a budget without end. */
    public static final long UNBOUNDED = Long.MAX_VALUE;

    final DeadlineEngine engine;

    final long lengthNanos;

    final long reserveNanos;

    // What nobody may spend, so that the answer is written inside the budget; 0 where no answer is written.
    final long marginNanos;

    final Mode mode;

    /** Whether a caller gave less than was configured. */
    final boolean shortened;

    private final @Nullable StepLedger ledger;

    // In observe mode nothing is cut, so time goes on where it would have stopped: the difference is credited to all
    // that follows. Atomic, for steps may end on several threads at once.
    private final AtomicLong creditNanos = new AtomicLong();

    Budget(
            DeadlineEngine engine,
            long lengthNanos,
            long reserveNanos,
            long marginNanos,
            Mode mode,
            boolean shortened,
            @Nullable StepLedger ledger) {
        this.engine = engine;
        this.lengthNanos = lengthNanos;
        this.reserveNanos = reserveNanos;
        this.marginNanos = marginNanos;
        this.mode = mode;
        this.shortened = shortened;
        this.ledger = ledger;
    }

    boolean isEnforced() {
        return this.mode == Mode.ENFORCE;
    }

    /** What happened to the steps of the request; null outside a request. */
    @Nullable
    StepLedger ledger() {
        return this.ledger;
    }

    /** The present, by the clock of this budget. */
    long now() {
        return at(this.engine.clock().nanoTime());
    }

    /** A reading of the engine's clock, by the clock of this budget. */
    long at(long clockNanos) {
        return isEnforced() ? clockNanos : clockNanos - this.creditNanos.get();
    }

    void credit(long nanos) {
        this.creditNanos.addAndGet(nanos);
    }
}
