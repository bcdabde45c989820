package dev.deadline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;

/** Two threads that do a step each at the same time, again and again. */
public final class Lockstep {

    private static final int LAGS = 32;

    private Lockstep() {}

    public static void run(int rounds, IntConsumer one, IntConsumer other) throws InterruptedException {
        AtomicInteger arrived = new AtomicInteger();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        // What each sees of the other's arrival is late by more or less: one of them begins later by another little
        // each
        // round, so that in some rounds they meet.
        IntConsumer late = i -> {
            spin(i % LAGS);
            one.accept(i);
        };
        IntConsumer even = i -> {
            spin(LAGS / 2);
            other.accept(i);
        };
        Thread thread = new Thread(() -> steps(rounds, even, arrived, failure));
        thread.setDaemon(true);
        thread.start();
        steps(rounds, late, arrived, failure);
        thread.join(TimeUnit.SECONDS.toMillis(30));
        assertThat(thread.isAlive()).isFalse();
        assertThat(failure.get()).isNull();
    }

    private static void spin(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }

    private static void steps(int rounds, IntConsumer step, AtomicInteger arrived, AtomicReference<Throwable> failure) {
        try {
            for (int i = 0; i < rounds; i++) {
                arrived.incrementAndGet();
                for (int spins = 0; arrived.get() < 2 * (i + 1) && failure.get() == null; spins++) {
                    if (spins > 1000) {
                        Thread.yield();
                    } else {
                        Thread.onSpinWait();
                    }
                }
                step.accept(i);
            }
        } catch (Throwable ex) {
            failure.set(ex);
        }
    }
}
