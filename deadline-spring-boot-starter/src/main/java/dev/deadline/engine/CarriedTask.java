package dev.deadline.engine;

import dev.deadline.Deadline.Registration;
import org.jspecify.annotations.Nullable;

/**
 * A task that has a thread for itself and was handed over under a deadline. As with {@link DeadlineEngine#carry} it is
 * bounded by that; and if the deadline is cancelled and the task goes on, that is found and reported as for the thread
 * that the deadline was opened for. Not so when the work it was handed over by has ended in time, as a stream has with
 * its first byte. To be begun and closed on the thread of the task.
 */
public final class CarriedTask implements AutoCloseable {

    private final Scope from;

    private final Section section;

    // Null if the task is part of one on this thread that is measured already.
    private final @Nullable Scope measured;

    private final @Nullable Registration registration;

    private CarriedTask(Scope from) {
        this.from = from;
        if (ThreadBinding.isMeasured(from.origin())) {
            this.measured = null;
            this.section = DeadlineEngine.carry(from);
            this.registration = null;
        } else {
            Scope carried = DeadlineEngine.carried(from);
            carried.measured();
            this.measured = carried;
            this.section = ThreadBinding.enter(carried, Section.Access.RESTING, true);
            // It has no alarm of its own for this, as that would ring for a stream whose deadline is met.
            this.registration = from.onCancel(carried::cancel);
        }
    }

    /** A task begins, on the calling thread. */
    public static CarriedTask begin(Scope from) {
        return new CarriedTask(from);
    }

    /** The task has ended. */
    @Override
    public void close() {
        if (this.registration != null) {
            this.registration.close();
        }
        this.section.close();
        Scope.End cancelled =
                (this.measured != null && this.from.reason() != null) ? this.measured.cancellation() : null;
        if (cancelled != null) {
            this.from.budget.engine.listeners().overran(this.from.name, this.from.now() - cancelled.atNanos());
        }
    }
}
