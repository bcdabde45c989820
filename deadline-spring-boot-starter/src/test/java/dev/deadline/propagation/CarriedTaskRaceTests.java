package dev.deadline.propagation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.Deadline;
import dev.deadline.Outcome;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.RealEngine;
import dev.deadline.engine.RequestAnswer;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.springframework.core.task.TaskDecorator;

/**
 * C36, C38: tasks of many requests, whose time ends while, before and after their tasks run, take turns on two threads.
 * No task sees the deadline of another, and no thread keeps a deadline or an interrupt.
 */
class CarriedTaskRaceTests {

    private static final int TASKS = 20_000;

    private static final int WAITING = 8;

    private final LongAdder strangers = new LongAdder();

    private final LongAdder strays = new LongAdder();

    private final LongAdder cut = new LongAdder();

    private final LongAdder finished = new LongAdder();

    @Test
    void seesNeitherAnothersDeadlineNorAStrayInterrupt() throws Exception {
        TaskDecorator decorator = DeadlineTaskDecorator.around(null);
        Semaphore room = new Semaphore(WAITING);
        try (RealEngine real = new RealEngine()) {
            DeadlineEngine engine = real.engine();
            ThreadPoolExecutor threads = new LookingExecutor(room);
            SplittableRandom random = new SplittableRandom(11);
            for (int number = 0; number < TASKS; number++) {
                room.acquire();
                if (number % 8 == 0) {
                    // Of no request.
                    threads.execute(decorator.decorate(this::lookForNothing));
                    continue;
                }
                Scope request = real.request(Duration.ofNanos(20_000 + random.nextInt(600_000)));
                Section section = engine.bind(request);
                long work = random.nextInt(400_000);
                boolean blocking = random.nextBoolean();
                threads.execute(decorator.decorate(() -> work(request, work, blocking)));
                section.close();
                if (random.nextBoolean()) {
                    Thread.onSpinWait();
                }
                engine.finishRequest(request, Outcome.OK, null, RequestAnswer.UNKNOWN);
            }
            threads.shutdown();
            assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(this.strangers.sum()).as("deadlines of others").isZero();
        assertThat(this.strays.sum()).as("stray interrupts").isZero();
        assertThat(this.cut.sum()).as("tasks that were cut").isPositive();
        assertThat(this.finished.sum()).as("tasks that were not").isPositive();
    }

    private void work(Scope request, long nanos, boolean blocking) {
        checkOwn(request);
        try (Section call = DeadlineEngine.interruptible()) {
            long end = System.nanoTime() + nanos;
            long left = nanos;
            while (left > 0 && !Thread.currentThread().isInterrupted()) {
                if (blocking) {
                    LockSupport.parkNanos(left);
                }
                left = end - System.nanoTime();
            }
            (left > 0 ? this.cut : this.finished).increment();
        }
        checkNoInterrupt();
        checkOwn(request);
    }

    private void checkOwn(Scope request) {
        if (!(Deadline.current() instanceof Scope carried) || carried.origin() != request) {
            this.strangers.increment();
        }
    }

    private void lookForNothing() {
        if (Deadline.current() != Deadline.none()) {
            this.strangers.increment();
        }
        checkNoInterrupt();
    }

    // For a while, as an interrupt may be under way.
    private void checkNoInterrupt() {
        for (int look = 0; look < 40; look++) {
            if (Thread.interrupted()) {
                this.strays.increment();
            }
            Thread.onSpinWait();
        }
    }

    /** Looks after each task, as the pool itself clears the flag before the next. */
    private final class LookingExecutor extends ThreadPoolExecutor {

        private final Semaphore room;

        LookingExecutor(Semaphore room) {
            super(2, 2, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
            this.room = room;
        }

        @Override
        protected void afterExecute(Runnable task, Throwable failure) {
            if (failure != null) {
                CarriedTaskRaceTests.this.strangers.increment();
            }
            lookForNothing();
            this.room.release();
        }
    }
}
