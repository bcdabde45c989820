package dev.deadline.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.DeadlineListener;
import dev.deadline.OnTimeout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * C36: steps that end at the very moment their time is up, on pooled threads. The task that follows on the thread must
 * never see the interrupt, and each step must have exactly one outcome.
 *
 * <p>{@code -Ddeadline.race.steps=1000000} sets the number of steps in real time; see docs/benchmarks.md.
 */
class StrayInterruptTests {

    private static final int REAL_TIME_STEPS = Integer.getInteger("deadline.race.steps", 4_000);

    private static final int DRIVEN_STEPS =
            Math.max(Boolean.getBoolean("deadline.slow-tests") ? 100_000 : 40_000, REAL_TIME_STEPS / 4);

    private static final int THREADS = 8;

    private final LongAdder strays = new LongAdder();

    /** Real timers, real timeouts, work of the timeout plus or minus one millisecond. */
    @Test
    void neverReachTheNextTaskInRealTime() throws Exception {
        LongAdder values = new LongAdder();
        LongAdder fallbacks = new LongAdder();
        AtomicInteger reported = new AtomicInteger();
        DeadlineListener counter = new DeadlineListener() {
            @Override
            public void stepFinished(StepEvent event) {
                reported.incrementAndGet();
            }
        };
        EngineSettings settings = new EngineSettings(0, InterruptPolicy.STEPS, 150_000_000, 4, false);
        try (DeadlineEngine engine = DeadlineEngine.start(
                settings, new ModeSwitch(Mode.ENFORCE), new UpstreamFailures(), List.of(counter))) {
            StepRunner runner = new StepRunner(engine, List.of());
            StepPolicy policy = TestEngine.step("race", OnTimeout.OPEN, 2);
            onThreads(REAL_TIME_STEPS, random -> {
                long work = TimeUnit.MILLISECONDS.toNanos(1) + random.nextLong(TimeUnit.MILLISECONDS.toNanos(2));
                boolean blocking = random.nextBoolean();
                boolean value = runner.<Boolean, RuntimeException>run(
                        policy,
                        Object.class,
                        () -> {
                            occupy(work, blocking);
                            return true;
                        },
                        failure -> false);
                (value ? values : fallbacks).increment();
                checkNextTask();
            });
        }
        assertThat(this.strays.sum()).isZero();
        assertThat(values.sum() + fallbacks.sum()).isEqualTo(REAL_TIME_STEPS);
        assertThat(reported).hasValue(REAL_TIME_STEPS);
        assertThat(values.sum()).as("steps that made it").isPositive();
        assertThat(fallbacks.sum()).as("steps that were cut").isPositive();
    }

    /** The cancellation is aimed at the exit, by another thread that watches the step. */
    @Test
    void neverReachTheNextTaskWhenFiredAtTheExit() throws Exception {
        try (TestEngine test = new TestEngine()) {
            race(DRIVEN_STEPS, (random, target) -> {
                Scope scope = new Scope(
                        new Budget(test.engine, Budget.UNBOUNDED, 0, 0, Mode.ENFORCE, false, null),
                        null,
                        Scope.Kind.STEP,
                        "some",
                        0,
                        Budget.UNBOUNDED);
                Section section = ThreadBinding.enter(scope, Section.Access.OPEN, true);
                target.set(() -> scope.cancel(dev.deadline.Reason.CLIENT_ABORT));
                spin(random.nextInt(2_000));
                scope.complete();
                section.close();
            });
        }
        assertThat(this.strays.sum()).isZero();
    }

    /** The control: "finished" and "interrupt" told by two signals, as libraries often do, fails the same race. */
    @Test
    void reachTheNextTaskOfANaiveRunner() throws Exception {
        for (int attempt = 0; attempt < 20 && this.strays.sum() == 0; attempt++) {
            race(DRIVEN_STEPS, (random, target) -> {
                Thread thread = Thread.currentThread();
                AtomicReference<Boolean> finished = new AtomicReference<>(false);
                target.set(() -> {
                    if (!finished.get()) {
                        thread.interrupt();
                    }
                });
                spin(random.nextInt(2_000));
                finished.set(true);
                Thread.interrupted();
            });
        }
        assertThat(this.strays.sum()).isPositive();
    }

    private interface Race {

        void run(SplittableRandom random, AtomicReference<Runnable> target);
    }

    private interface Task {

        void run(SplittableRandom random);
    }

    private void race(int steps, Race race) throws Exception {
        AtomicReference<Runnable> target = new AtomicReference<>();
        Thread shooter = new Thread(() -> {
            SplittableRandom random = new SplittableRandom(7);
            while (!Thread.currentThread().isInterrupted()) {
                Runnable shot = target.getAndSet(null);
                if (shot != null) {
                    spin(random.nextInt(2_000));
                    shot.run();
                }
            }
        });
        shooter.start();
        try {
            SplittableRandom random = new SplittableRandom(8);
            for (int i = 0; i < steps; i++) {
                race.run(random, target);
                checkNextTask();
            }
        } finally {
            shooter.interrupt();
            shooter.join();
            Thread.interrupted();
        }
    }

    private void onThreads(int steps, Task task) throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<?>> running = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            SplittableRandom random = new SplittableRandom(t);
            running.add(threads.submit(() -> {
                for (int i = 0; i < steps / THREADS; i++) {
                    task.run(random);
                }
            }));
        }
        for (Future<?> thread : running) {
            thread.get();
        }
        threads.shutdown();
    }

    // The following task looks for a while, as a stray interrupt may be under way.
    private void checkNextTask() {
        for (int look = 0; look < 40; look++) {
            if (Thread.interrupted()) {
                this.strays.increment();
            }
            Thread.onSpinWait();
        }
    }

    private static void occupy(long nanos, boolean blocking) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0 && !Thread.currentThread().isInterrupted(); left = end - System.nanoTime()) {
            if (blocking) {
                LockSupport.parkNanos(left);
            } else {
                Thread.onSpinWait();
            }
        }
    }

    private static void spin(int turns) {
        for (int turn = 0; turn < turns; turn++) {
            Thread.onSpinWait();
        }
    }
}
