package dev.deadline.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.DeadlineExceededException;
import dev.deadline.Outcome;
import dev.deadline.Reason;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.RealEngine;
import dev.deadline.engine.RequestAnswer;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Rounds in which the end of a request's time, a client that goes away and the natural end of a wait are aimed at one
 * moment, on several threads.
 *
 * <p>{@code -Ddeadline.race.waits=100000} sets the number of rounds in all, {@code -Ddeadline.race.seed} what they are
 * drawn from.
 */
final class WaitRaces implements AutoCloseable {

    /** By what the aims miss, at most. */
    private static final long SPREAD = TimeUnit.MICROSECONDS.toNanos(150);

    private static final int ROUNDS = Integer.getInteger("deadline.race.waits", 5_000);

    private static final long SEED = Long.getLong("deadline.race.seed", 4);

    /** How many kinds of waits share the rounds. */
    private static final int WAITS = 11;

    private static final int THREADS = 4;

    private final RealEngine real = new RealEngine();

    private final ScheduledExecutorService shots = Executors.newScheduledThreadPool(THREADS);

    interface Body {

        void run(Round round) throws Throwable;
    }

    interface BodyOfThread {

        /**
         * @param thread from 0
         */
        Body on(int thread) throws Exception;
    }

    /** Runs this wait's share of the rounds. Some of them must be stopped, and some not. */
    void race(String wait, BodyOfThread bodies) throws Exception {
        long began = System.nanoTime();
        AtomicInteger stopped = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<?>> running = new ArrayList<>();
        int rounds = (ROUNDS + WAITS * THREADS - 1) / (WAITS * THREADS);
        for (int t = 0; t < THREADS; t++) {
            int thread = t;
            running.add(threads.submit(() -> {
                SplittableRandom random = new SplittableRandom(SEED + thread);
                Body body = bodies.on(thread);
                for (int i = 0; i < rounds; i++) {
                    stopped.addAndGet(round(wait + " " + thread + "/" + i, random, body) ? 1 : 0);
                }
                return null;
            }));
        }
        try {
            for (Future<?> thread : running) {
                thread.get(1, TimeUnit.MINUTES);
            }
        } catch (ExecutionException ex) {
            throw new AssertionError(ex.getCause().getMessage(), ex.getCause());
        } finally {
            threads.shutdownNow();
        }
        int all = rounds * THREADS;
        System.out.printf(
                "%s: %d rounds, %d stopped, %.1f s%n", wait, all, stopped.get(), (System.nanoTime() - began) / 1e9);
        assertThat(stopped.get()).as("both sides win sometimes").isBetween(1, all - 1);
    }

    private boolean round(String name, SplittableRandom random, Body body) {
        Round round = new Round(random);
        try {
            try (Section section = engine().bind(round.scope)) {
                body.run(round);
            } finally {
                round.awaitShots();
                engine().finishRequest(round.scope, Outcome.OK, null, RequestAnswer.UNKNOWN);
            }
            round.check();
            return round.stopped;
        } catch (Throwable ex) {
            throw new AssertionError(name + " of seed " + SEED + ", " + round + ": " + ex, ex);
        }
    }

    DeadlineEngine engine() {
        return this.real.engine();
    }

    ScheduledExecutorService scheduler() {
        return this.shots;
    }

    @Override
    public void close() {
        this.shots.shutdownNow();
        this.real.close();
    }

    /** One request, the moment at which all is to meet, and what may not happen in it. */
    final class Round {

        final SplittableRandom random;

        /** Of {@link System#nanoTime()}. */
        final long aim;

        final Scope scope;

        private final long outOfTime;

        // A shot may fire another one.
        private final Queue<Future<?>> fired = new ConcurrentLinkedQueue<>();

        private final Queue<Long> attempts = new ConcurrentLinkedQueue<>();

        private volatile long aborted = Long.MAX_VALUE;

        private boolean stopped;

        Round(SplittableRandom random) {
            this.random = random;
            long meet = 300_000 + random.nextLong(1_200_000);
            boolean ample = random.nextInt(3) > 0;
            this.aim = System.nanoTime() + meet;
            long budget = ample ? TimeUnit.HOURS.toNanos(9) : meet + jitter();
            this.scope = WaitRaces.this.real.request(Duration.ofNanos(budget));
            this.outOfTime = System.nanoTime() + budget;
        }

        long jitter() {
            return this.random.nextLong(-SPREAD, SPREAD);
        }

        /** In half of the cases. */
        boolean chance() {
            return this.random.nextBoolean();
        }

        /** Has something done by another thread at about the moment at which all meets. */
        void aim(Runnable shot) {
            at(this.aim + jitter(), shot);
        }

        void at(long nanos, Runnable shot) {
            this.fired.add(WaitRaces.this.shots.schedule(shot, nanos - System.nanoTime(), TimeUnit.NANOSECONDS));
        }

        /** The deadline of another request, which ends at about the moment at which all meets. */
        Scope other() {
            Scope other = WaitRaces.this.real.request(Duration.ofHours(9));
            aim(() -> other.cancel(Reason.CLIENT_ABORT));
            return other;
        }

        /** The client goes away. */
        void abort() {
            if (this.scope.cancel(Reason.CLIENT_ABORT)) {
                this.aborted = System.nanoTime();
            }
        }

        /**
         * An attempt begins. It is one too many if the request had come to its end before the wait for it could: a wait
         * that ends first may go on to an attempt which is then too late, as nothing can look and begin in one.
         *
         * @param notBefore the first moment at which the wait could end, of {@link System#nanoTime()}
         */
        void begins(long notBefore) {
            this.attempts.add(notBefore);
        }

        /** What the call threw; fails if it is not one of those that it may throw. */
        void threw(Throwable failure, Class<?>... others) {
            if (failure instanceof DeadlineExceededException) {
                this.stopped = true;
                return;
            }
            for (Class<?> other : others) {
                if (other.isInstance(failure)) {
                    return;
                }
            }
            throw new AssertionError("Thrown: " + failure, failure);
        }

        /** Whether the call ended with the end of the time. */
        boolean isStopped() {
            return this.stopped;
        }

        /** From when on the end of the request was certain; far away if it has not come. */
        long overSince() {
            return Math.min(this.outOfTime, this.aborted);
        }

        private void awaitShots() throws Exception {
            Future<?> shot = this.fired.poll();
            while (shot != null) {
                shot.get(10, TimeUnit.SECONDS);
                shot = this.fired.poll();
            }
        }

        private void check() {
            // For a while, as a stray interrupt may be under way.
            for (int look = 0; look < 40; look++) {
                assertThat(Thread.interrupted()).as("leaked flag").isFalse();
                Thread.onSpinWait();
            }
            assertThat(this.attempts)
                    .as("extra attempts")
                    .allSatisfy(notBefore -> assertThat(notBefore).isLessThanOrEqualTo(overSince()));
        }

        @Override
        public String toString() {
            return this.scope + ", aborted " + ((this.aborted == Long.MAX_VALUE) ? "not" : this.aborted - this.aim)
                    + ", out of time " + (this.outOfTime - this.aim) + " ns after the aim";
        }
    }
}
