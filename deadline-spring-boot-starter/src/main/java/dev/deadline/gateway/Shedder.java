package dev.deadline.gateway;

import dev.deadline.GateCause;
import dev.deadline.Priority;
import dev.deadline.engine.Budget;
import dev.deadline.engine.RequestAnswer;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Says which requests a server that has too much to do had better not begin. It goes by time spent waiting and never by
 * the load of the machine, and learns no baseline that could drift:
 *
 * <ul>
 *   <li>Expired: the request's time is up.
 *   <li>Standing queue: something has been waiting for threads all the time for most of a budget, the request has waited
 *       for a good part of its own, and more comes in than is served. A burst that is being worked off is none.
 *   <li>In flight: so many requests are inside that, at the largest rate at which they have been served lately, one more
 *       would take too long (Little's law), and those that were served took a good part of a budget indeed. This is what
 *       tells of a pool behind threads of which there are enough.
 *   <li>No time left: requests of its kind take longer than what is left. Some are let in all the same, since
 *       otherwise nobody would notice that they do not any more.
 * </ul>
 *
 * <p>Thread-safe and lock-free. All times are nanoseconds, by the clock of the one who calls.
 */
public final class Shedder {

    private static final double STANDING = 0.8;

    // What has waited no longer than this has found the queue empty.
    private static final long HARDLY_WAITED = TimeUnit.MILLISECONDS.toNanos(1);

    private static final int PROBE_OF = 20;

    private static final long PROBE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ArrivalQueue queue;

    private final long objectiveNanos;

    private final Flow flow = new Flow();

    private final ServiceTimes times = new ServiceTimes();

    private final Crowd crowd = new Crowd(this.flow);

    // Since when the queue has not been seen empty. Written without comparing: two threads that look at the same moment
    // see the same, give or take the moment.
    private volatile long standingSince;

    private volatile boolean standing;

    // The compare-and-set lets one thread be the probe of its tenth of a second.
    private final AtomicLong lastProbe = new AtomicLong();

    /**
     * @param queue where requests wait for threads
     * @param objectiveNanos time in which requests are to be answered that have more or none; {@link Budget#UNBOUNDED}
     *     if that is for their budgets to say
     */
    public Shedder(ArrivalQueue queue, long objectiveNanos) {
        this.queue = queue;
        this.objectiveNanos = objectiveNanos;
    }

    /**
     * How long a request may take from now on to be answered in time.
     *
     * @param queuedNanos how long it waited for its thread; {@link RequestAnswer#UNKNOWN} if that is not known
     * @param remainingNanos what is left of its budget; {@link Budget#UNBOUNDED} if it has none
     * @return zero or less if it is too late; {@link Budget#UNBOUNDED} if it has neither a budget nor an objective
     */
    long leftNanos(long queuedNanos, long remainingNanos) {
        boolean aimed = this.objectiveNanos != Budget.UNBOUNDED;
        return aimed ? Math.min(remainingNanos, this.objectiveNanos - Math.max(0, queuedNanos)) : remainingNanos;
    }

    /**
     * A thread has taken up a request that is to be answered in no certain time. It is not judged, and whatever becomes
     * of it says nothing about others.
     */
    void passed(long now, long queuedNanos) {
        int queued = Math.max(0, this.queue.size());
        this.flow.waiting(now, queued);
        look(now, queued, queuedNanos);
    }

    /**
     * Judges a request that a thread has just taken up.
     *
     * @param queuedNanos how long it waited for the thread; {@link RequestAnswer#UNKNOWN} if that is not known
     * @param left {@link #leftNanos}, which is not {@link Budget#UNBOUNDED}
     * @param kind tells requests of its kind from others, see {@link RequestKind}
     * @return why it is not to be served; null if it is
     */
    @Nullable
    GateCause judge(long now, long queuedNanos, long left, Priority priority, int kind) {
        int queued = Math.max(0, this.queue.size());
        this.flow.waiting(now, queued);
        this.flow.taken(now);
        look(now, queued, queuedNanos);
        if (left <= 0) {
            return GateCause.EXPIRED;
        }
        long waited = Math.max(0, queuedNanos);
        long budget = left + waited;
        if (waitsInStandingQueue(now, waited, budget, priority) && !this.flow.isDraining(now, queued)) {
            return GateCause.STANDING_QUEUE;
        }
        if (this.crowd.isTooLarge(now, budget, priority) && !this.flow.isDraining(now, queued)) {
            return GateCause.IN_FLIGHT;
        }
        return (this.times.expectedNanos(kind) > left && !isProbe(now)) ? GateCause.NO_TIME_LEFT : null;
    }

    private void look(long now, int queued, long queuedNanos) {
        boolean empty = queued == 0 || (queuedNanos >= 0 && queuedNanos < HARDLY_WAITED);
        if (empty) {
            if (this.standing) {
                this.standing = false;
            }
        } else if (!this.standing) {
            this.standingSince = now;
            this.standing = true;
        }
    }

    private boolean waitsInStandingQueue(long now, long waited, long budget, Priority priority) {
        return waited > patience(priority) * budget
                && this.standing
                && now - this.standingSince >= standingTime(priority) * budget;
    }

    // The part of a budget that a request may have waited when there is a standing queue.
    private static double patience(Priority priority) {
        return switch (priority) {
            case CRITICAL -> 0.6;
            case DEFAULT -> 0.3;
            case SHEDDABLE -> 0.1;
        };
    }

    // The part of a budget for which the queue has to stand.
    private static double standingTime(Priority priority) {
        return (priority == Priority.SHEDDABLE) ? STANDING / 2 : STANDING;
    }

    private boolean isProbe(long now) {
        long last = this.lastProbe.get();
        return ((last == 0 || now - last >= PROBE_NANOS) && this.lastProbe.compareAndSet(last, now))
                || ThreadLocalRandom.current().nextInt(PROBE_OF) == 0;
    }

    /** A request is let in, whatever was said of it. {@link #left} follows. */
    void entered() {
        this.crowd.entered();
    }

    /**
     * The answer to a request that was let in begins, or there will be none.
     *
     * @param insideNanos how long it was inside
     * @param left what {@link #leftNanos} said when it came: more than that is late, even if nothing was cut
     */
    void left(long now, long insideNanos, long left, Ending ending, int kind) {
        this.crowd.left();
        if (ending == Ending.REFUSED) {
            this.flow.turnedAway(now);
        } else if (ending == Ending.CUT || insideNanos > left) {
            this.flow.late(now, insideNanos);
            this.crowd.late(now);
        } else if (ending == Ending.ANSWERED) {
            this.flow.served(now, insideNanos);
            this.times.record(kind, insideNanos);
        }
        // A client that has gone in time says nothing about the server.
    }

    /** How many requests are inside. */
    int inFlight() {
        return this.crowd.size();
    }
}
