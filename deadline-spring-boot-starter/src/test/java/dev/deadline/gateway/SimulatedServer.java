package dev.deadline.gateway;

import dev.deadline.GateCause;
import dev.deadline.Priority;
import dev.deadline.engine.Budget;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A server in simulated time with a real {@link Shedder} in front of it. Work waits for one of so many servants first
 * come, first served: either in front of the gate, as in the queue of a pool of threads, or behind it, as virtual threads
 * wait for a connection. What is not done when its budget ends is cut then.
 */
final class SimulatedServer {

    /** A request that was offered. */
    static final class Offered {

        final long at;

        final Priority priority;

        final int kind;

        final long serviceNanos;

        private long enteredAt;

        private long leftNanos;

        private boolean gone;

        @Nullable
        GateCause refused;

        long doneAt = Long.MAX_VALUE;

        Offered(long at, Priority priority, int kind, long serviceNanos) {
            this.at = at;
            this.priority = priority;
            this.kind = kind;
            this.serviceNanos = serviceNanos;
        }

        boolean isInTime(long budgetNanos) {
            return this.refused == null && this.doneAt - this.at <= budgetNanos;
        }
    }

    private record Event(long at, long number, Runnable action) {}

    private static final long REFUSING_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final int servants;

    private final boolean queuesInFront;

    private final boolean cuts;

    private final long budgetNanos;

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::number));

    private final ArrayDeque<Offered> waiting = new ArrayDeque<>();

    private final Shedder shedder;

    private int idle;

    private long now;

    private long number;

    SimulatedServer(int servants, boolean queuesInFront, long budgetNanos) {
        this(servants, queuesInFront, true, budgetNanos);
    }

    /**
     * @param cuts whether work ends when its time is up; otherwise it goes on, and takes a servant from others, as it has
     *     no budget and is only meant to be answered in that time
     */
    SimulatedServer(int servants, boolean queuesInFront, boolean cuts, long budgetNanos) {
        this.cuts = cuts;
        this.servants = servants;
        this.queuesInFront = queuesInFront;
        this.budgetNanos = budgetNanos;
        this.idle = servants;
        // Where nothing is cut the budget is only an aim.
        this.shedder = new Shedder(queuesInFront ? this.waiting::size : () -> 0, cuts ? Budget.UNBOUNDED : budgetNanos);
    }

    /** Offers all of them, and lets time go by until each is answered. */
    List<Offered> serve(List<Offered> load) {
        load.forEach(offered -> at(offered.at, () -> arrive(offered)));
        while (!this.events.isEmpty()) {
            Event event = this.events.poll();
            this.now = event.at();
            event.action().run();
        }
        return load;
    }

    private void at(long time, Runnable action) {
        this.events.add(new Event(time, this.number++, action));
    }

    private void arrive(Offered offered) {
        if (this.queuesInFront || judge(offered)) {
            this.waiting.add(offered);
            if (!this.queuesInFront && this.cuts) {
                at(offered.at + this.budgetNanos, () -> giveUp(offered));
            }
            work();
        }
    }

    private void giveUp(Offered offered) {
        if (this.waiting.remove(offered)) {
            leave(offered);
        }
    }

    private void work() {
        while (this.idle > 0 && !this.waiting.isEmpty()) {
            Offered next = this.waiting.poll();
            this.idle--;
            if (this.queuesInFront && !judge(next)) {
                at(this.now + REFUSING_NANOS, this::free);
            } else {
                long end = this.now + next.serviceNanos;
                if (this.cuts) {
                    end = Math.min(end, next.at + this.budgetNanos + 1);
                }
                at(end, () -> {
                    leave(next);
                    free();
                });
            }
        }
    }

    private void free() {
        this.idle++;
        work();
    }

    private boolean judge(Offered offered) {
        long queued = this.queuesInFront ? this.now - offered.at : 0;
        long left = this.shedder.leftNanos(queued, this.cuts ? this.budgetNanos - queued : Budget.UNBOUNDED);
        offered.refused = this.shedder.judge(this.now, queued, left, offered.priority, offered.kind);
        if (offered.refused != null) {
            offered.doneAt = this.now;
            return false;
        }
        offered.enteredAt = this.now;
        offered.leftNanos = left;
        this.shedder.entered();
        return true;
    }

    private void leave(Offered offered) {
        offered.doneAt = this.now;
        this.shedder.left(
                this.now,
                this.now - offered.enteredAt,
                offered.leftNanos,
                (this.cuts && !offered.isInTime(this.budgetNanos)) ? Ending.CUT : Ending.ANSWERED,
                offered.kind);
    }

    /** Requests that come in by chance at a rate, from a moment on and for some time. */
    static List<Offered> steady(
            Random random,
            double perSecond,
            long fromNanos,
            long lengthNanos,
            Priority priority,
            ToLongFunction<Random> service) {
        List<Offered> load = new ArrayList<>();
        double at = fromNanos;
        while (true) {
            at += -Math.log(1 - random.nextDouble()) / perSecond * 1e9;
            if (at > fromNanos + lengthNanos) {
                return load;
            }
            load.add(new Offered((long) at, priority, 0, service.applyAsLong(random)));
        }
    }
}
