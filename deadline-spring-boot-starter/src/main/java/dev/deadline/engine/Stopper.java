package dev.deadline.engine;

import dev.deadline.Deadline.Registration;
import dev.deadline.DeadlineListener;
import dev.deadline.Reason;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Stops the work of cancelled scopes: interrupts first, then the hooks, newest first; and again until the scope is
 * left, for code swallows interrupts.
 *
 * <p>Nothing of this happens on the timer thread. Interrupts have two threads of their own, because
 * {@link Thread#interrupt()} itself blocks while it closes the channel its target sits in. Hooks have a pool; when all
 * of its threads hang, the hooks of further scopes wait for the next round.
 */
final class Stopper implements AutoCloseable {

    /** How soon a round is repeated while the scope has not been left. */
    static final long REPEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** How long the hooks behind one wait for it to return. */
    static final long HOOK_LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** After how many graces the stack of a thread that goes on is reported. */
    private static final int ENDLESS_GRACES = 10;

    private static final int INTERRUPT_THREADS = 2;

    // More than one, for a client with which little has been agreed on may keep the thread that answers it.
    private static final int CHORE_THREADS = 16;

    // Fallbacks may block, and there are many at once when an upstream hangs.
    private static final int AFTERWARDS_THREADS = 64;

    private final MonotonicClock clock;

    private final Watchdog watchdog;

    private final ExecutorService interrupts;

    private final ExecutorService chores;

    private final ExecutorService hooks;

    private final ExecutorService afterwards;

    private final LongAdder delayedHooks = new LongAdder();

    private final DeadlineListener listeners;

    private final long endlessNanos;

    Stopper(MonotonicClock clock, Watchdog watchdog, EngineSettings settings, DeadlineListener listeners) {
        this.clock = clock;
        this.watchdog = watchdog;
        this.listeners = listeners;
        this.endlessNanos = ENDLESS_GRACES * settings.graceNanos();
        this.interrupts = idling(INTERRUPT_THREADS, "deadline-interrupt-");
        this.hooks = new ThreadPoolExecutor(
                0, settings.hookThreads(), 10, TimeUnit.SECONDS, new SynchronousQueue<>(), daemons("deadline-hook-"));
        this.chores = idling(CHORE_THREADS, "deadline-chore-");
        // Queues where hooks would not: what it runs is late rather than run by the timer or by a thread for hooks.
        this.afterwards = idling(AFTERWARDS_THREADS, "deadline-afterwards-");
    }

    /** A pool with a queue, whose threads go when there is nothing to do. What comes after its end is dropped. */
    private static ExecutorService idling(int threads, String prefix) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads,
                threads,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                daemons(prefix),
                new ThreadPoolExecutor.DiscardPolicy());
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static ThreadFactory daemons(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Hands a cancelled scope over. Returns at once. */
    void stop(Scope scope) {
        if (scope.binding != null || hasHooks(scope)) {
            this.interrupts.execute(() -> round(scope));
        }
    }

    /** Runs what follows a cancellation: code of the application, which may block. */
    Executor afterwards() {
        return this.afterwards;
    }

    /**
     * Runs the library's own work, such as an answer in place of a thread that does not come back: nothing that runs
     * code of the application, which would keep all other requests waiting if it blocks.
     */
    Executor chores() {
        return this.chores;
    }

    /** Runs a task, which must be quick, when it is time for another round. */
    void later(Runnable task) {
        schedule(REPEAT_NANOS, task);
    }

    /** Runs a task, which must be quick, on the timer thread; closing the registration takes it back. */
    Registration schedule(long delayNanos, Runnable task) {
        Later alarm = new Later(this.clock.nanoTime() + delayNanos, task);
        this.watchdog.arm(alarm);
        return () -> this.watchdog.disarm(alarm);
    }

    /** Runs a task on a thread for hooks, or when the next round is due and one is free. */
    void onHookThread(Runnable task) {
        try {
            this.hooks.execute(task);
        } catch (RejectedExecutionException ex) {
            delayed();
            later(() -> onHookThread(task));
        }
    }

    /** Counts that something had to wait because every thread for it was busy. */
    void delayed() {
        this.delayedHooks.increment();
    }

    /** How many times hooks had to wait because every thread for hooks was busy. */
    long delayedHooks() {
        return this.delayedHooks.sum();
    }

    private void round(Scope scope) {
        ThreadBinding binding = scope.binding;
        if (binding != null) {
            binding.interruptIfWanted();
            tellIfEndless(scope, binding);
        }
        runHooks(scope);
        if (scope.binding != null || hasHooks(scope)) {
            later(() -> stop(scope));
        }
    }

    // The one loop that nobody can stop has to be found by its stack.
    private void tellIfEndless(Scope scope, ThreadBinding binding) {
        Scope.End cancelled = scope.cancellation();
        if (cancelled == null || scope.isOverrunTold()) {
            return;
        }
        long overrun = this.clock.nanoTime() - cancelled.atNanos();
        if (overrun >= this.endlessNanos) {
            scope.overrunTold();
            ThreadBinding.Sighting sighting = binding.sight(scope);
            if (sighting != null) {
                // Not here: a listener that blocks would keep interrupts from others.
                this.afterwards.execute(() -> this.listeners.overrunning(sighting.step(), overrun, sighting.stack()));
            }
        }
    }

    private static boolean hasHooks(Scope scope) {
        Hooks list = scope.hooks();
        return list != null && !list.isEmpty();
    }

    private void runHooks(Scope scope) {
        Hooks list = scope.hooks();
        Reason reason = scope.reason();
        if (list == null || reason == null || !list.needsRunner(this.clock.nanoTime(), HOOK_LIMIT_NANOS)) {
            return;
        }
        try {
            this.hooks.execute(() -> drain(list, reason));
        } catch (RejectedExecutionException ex) {
            delayed();
        }
    }

    private void drain(Hooks list, Reason reason) {
        @Nullable Consumer<? super Reason> hook = list.poll();
        while (hook != null) {
            list.begins(this.clock.nanoTime());
            try {
                hook.accept(reason);
            } catch (Throwable ex) {
                EngineLog.warn("A cancel hook failed; the others still run", ex);
            } finally {
                list.ends();
            }
            hook = list.poll();
        }
    }

    @Override
    public void close() {
        this.interrupts.shutdownNow();
        this.hooks.shutdownNow();
        this.chores.shutdownNow();
        this.afterwards.shutdownNow();
    }

    private static final class Later extends Alarm {

        private final Runnable task;

        Later(long endNanos, Runnable task) {
            super(endNanos);
            this.task = task;
        }

        @Override
        void ring() {
            this.task.run();
        }
    }
}
