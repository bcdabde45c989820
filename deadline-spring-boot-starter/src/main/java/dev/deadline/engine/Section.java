package dev.deadline.engine;

import org.jspecify.annotations.Nullable;

/**
 * A stretch of code on one thread: which deadline counts in it, and whether the thread may be interrupted for it.
 * Sections nest and are closed in reverse order, on the thread that entered them.
 */
public final class Section implements AutoCloseable {

    /** Whether a deadline may interrupt the thread in a section. */
    public enum Access {

        /** Not here, but in an open section further in. */
        RESTING,

        /** Here. */
        OPEN,

        /** Here, but only if the thread has not left a round after it should: it is let go by other means. */
        LATE,

        /** Neither here nor anywhere further in. */
        SHIELDED
    }

    final ThreadBinding binding;

    final @Nullable Scope scope;

    final Access access;

    final boolean owner;

    final @Nullable Section outer;

    Section(ThreadBinding binding, @Nullable Scope scope, Access access, boolean owner, @Nullable Section outer) {
        this.binding = binding;
        this.scope = scope;
        this.access = (outer != null && outer.access == Access.SHIELDED) ? Access.SHIELDED : access;
        this.owner = owner;
        this.outer = outer;
    }

    /**
     * Leaves the section. An interrupt of ours that was pending is taken back, unless the section outside it is to be
     * interrupted as well.
     */
    @Override
    public void close() {
        if (this.owner && this.scope != null && this.scope.kind == Scope.Kind.CARRIED) {
            this.scope.complete();
        }
        this.binding.exit(this);
    }
}
