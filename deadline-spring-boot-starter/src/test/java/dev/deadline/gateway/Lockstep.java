package dev.deadline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;

/** Two threads that do a step each at the same time, again and again. */
public final class Lockstep {

    private Lockstep() {}

    public static void run(int rounds, IntConsumer one, IntConsumer other) throws InterruptedException {
        AtomicInteger arrived = new AtomicInteger();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread thread = new Thread(() -> steps(rounds, other, arrived, failure));
        thread.setDaemon(true);
        thread.start();
        steps(rounds, one, arrived, failure);
        thread.join(TimeUnit.SECONDS.toMillis(30));
        assertThat(thread.isAlive()).isFalse();
        assertThat(failure.get()).isNull();
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
