package dev.deadline.engine;

import dev.deadline.engine.Section.Access;
import org.jspecify.annotations.Nullable;

/**
 * The sections a thread is in, and the only place where a deadline interrupts a thread.
 *
 * <p>"Still inside" and "interrupt now" are decided under one lock, the monitor of this object, which all scopes
 * nested on the thread share. It closes two races: an interrupt that is sent while the work is being left would hit
 * the next user of a pooled thread, and one sent for an outer scope would land in a shielded section further in.
 */
final class ThreadBinding {

    private static final ThreadLocal<@Nullable ThreadBinding> BINDINGS = new ThreadLocal<>();

    private final Thread thread = Thread.currentThread();

    // Written by the thread itself, under the lock; it may read it without.
    private @Nullable Section top;

    // Whether the flag of the thread is ours. Guarded by the lock.
    private boolean interrupted;

    private ThreadBinding() {}

    static @Nullable Scope currentScope() {
        ThreadBinding binding = BINDINGS.get();
        return (binding != null && binding.top != null) ? binding.top.scope : null;
    }

    /** Whether it is seen to how long what the calling thread does for a scope, or one carried from it, goes on. */
    static boolean isMeasured(Scope origin) {
        ThreadBinding binding = BINDINGS.get();
        for (Section at = (binding != null) ? binding.top : null; at != null; at = at.outer) {
            if (at.scope != null && at.scope.origin() == origin && at.scope.isMeasured()) {
                return true;
            }
        }
        return false;
    }

    /** Of the section that the calling thread is in. */
    static Access currentAccess() {
        ThreadBinding binding = BINDINGS.get();
        return (binding != null && binding.top != null) ? binding.top.access : Access.RESTING;
    }

    /**
     * Enters a section on the calling thread.
     *
     * @param scope the deadline that counts in it; null for none
     * @param owner whether this is the thread that does the scope's own work
     */
    static Section enter(@Nullable Scope scope, Access access, boolean owner) {
        return own().push(scope, access, owner);
    }

    private static ThreadBinding own() {
        ThreadBinding binding = BINDINGS.get();
        if (binding == null) {
            binding = new ThreadBinding();
            BINDINGS.set(binding);
        }
        return binding;
    }

    /** Enters a section with the deadline that the thread has already. */
    static Section enter(Access access) {
        ThreadBinding binding = own();
        Section top = binding.top;
        return binding.push((top != null) ? top.scope : null, access, false);
    }

    /** Enters a section that is like the one the thread is in. */
    static Section enterAgain() {
        ThreadBinding binding = BINDINGS.get();
        Section top = (binding != null) ? binding.top : null;
        return enter((top != null) ? top.access : Access.RESTING);
    }

    private synchronized Section push(@Nullable Scope scope, Access access, boolean owner) {
        Section section = new Section(this, scope, access, owner, this.top);
        this.top = section;
        if (owner && scope != null) {
            scope.binding = this;
        }
        settle();
        return section;
    }

    void exit(Section section) {
        if (Thread.currentThread() != this.thread) {
            throw new IllegalStateException("A section must be closed on the thread that entered it");
        }
        synchronized (this) {
            if (!isInside(section)) {
                return;
            }
            // Usually one turn; more if code further in forgot to close its own.
            Section left;
            do {
                left = this.top;
                if (left == null) {
                    break;
                }
                this.top = left.outer;
                if (left.owner && left.scope != null) {
                    left.scope.binding = null;
                }
            } while (left != section);
            // Taken back even if it is to be set again: the code inside may have consumed it, and the code outside has
            // yet to be told.
            takeBack();
            settle();
        }
        if (this.top == null) {
            BINDINGS.remove();
        }
    }

    /** Interrupts the thread if the section it is in now is to be interrupted. Callable from any thread. */
    synchronized void interruptIfWanted() {
        if (isInterruptWanted()) {
            interrupt();
        }
    }

    /** Whether the thread is in a section in which it is interrupted. Callable from any thread. */
    synchronized boolean isBeingInterrupted() {
        return isInterruptWanted();
    }

    /** What a thread was found doing: the innermost step, and where in its code. */
    record Sighting(String step, StackTraceElement[] stack) {}

    /**
     * Looks at what the thread does for a scope; null if it has left that. Callable from any thread. The lock keeps the
     * thread from leaving, and so from being seen at the work of another request. What was carried from the same scope
     * once more, further in, is the same work.
     */
    synchronized @Nullable Sighting sight(Scope scope) {
        Section section = this.top;
        Scope innermost = (section != null) ? section.scope : null;
        for (Scope at = innermost; at != null; at = at.parent) {
            if (at == scope.origin() && innermost != null) {
                return new Sighting(innermost.name, this.thread.getStackTrace());
            }
        }
        return null;
    }

    /** Whether the thread has been inside a step since before a moment of the engine's clock. Callable from any thread. */
    synchronized boolean isInStepSince(long clockNanos) {
        Section section = this.top;
        for (Scope at = (section != null) ? section.scope : null; at != null; at = at.parent) {
            if (at.kind == Scope.Kind.STEP && at.startNanos - clockNanos <= 0) {
                return true;
            }
        }
        return false;
    }

    private boolean isInside(Section section) {
        for (Section inside = this.top; inside != null; inside = inside.outer) {
            if (inside == section) {
                return true;
            }
        }
        return false;
    }

    // A scope fixes its reason before it comes here for the interrupt. So either this sees the reason, or the
    // interrupt comes later and sees the new top.
    private void settle() {
        if (isInterruptWanted()) {
            if (!this.interrupted) {
                interrupt();
            }
        } else {
            takeBack();
        }
    }

    private void takeBack() {
        if (this.interrupted) {
            this.interrupted = false;
            Thread.interrupted();
        }
    }

    private boolean isInterruptWanted() {
        Section section = this.top;
        Scope scope = (section != null) ? section.scope : null;
        if (section == null || scope == null) {
            return false;
        }
        return switch (section.access) {
            case OPEN -> scope.reason() != null;
            case LATE -> scope.isCancelledFor(Stopper.REPEAT_NANOS);
            default -> false;
        };
    }

    private void interrupt() {
        // A flag that somebody else has set is theirs: it does the job, and must still be there afterwards.
        if (this.interrupted || !this.thread.isInterrupted()) {
            this.interrupted = true;
            this.thread.interrupt();
        }
    }
}
