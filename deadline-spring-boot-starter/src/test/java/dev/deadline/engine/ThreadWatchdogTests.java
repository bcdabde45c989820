package dev.deadline.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ThreadWatchdogTests {

    private final ThreadWatchdog watchdog = new ThreadWatchdog(MonotonicClock.SYSTEM).start();

    private final AtomicInteger rung = new AtomicInteger();

    private final AtomicInteger early = new AtomicInteger();

    @AfterEach
    void close() {
        this.watchdog.close();
    }

    @Test
    void ringsEveryAlarmOnceAndNeverEarly() {
        List<CountingAlarm> alarms = new ArrayList<>();
        Random random = new Random(1);
        for (int i = 0; i < 2_000; i++) {
            alarms.add(alarmIn(random.nextInt(200_000)));
        }
        alarms.forEach(this.watchdog::arm);

        await().untilAsserted(() -> assertThat(this.rung).hasValue(2_000));

        assertThat(alarms).allMatch(alarm -> alarm.rings.get() == 1);
        assertThat(this.early).hasValue(0);
        assertThat(this.watchdog.isEmpty()).isTrue();
    }

    @Test
    void wakesFromItsSleepForANewAlarm() {
        CountingAlarm far = alarmIn(TimeUnit.HOURS.toMicros(1));
        this.watchdog.arm(far);
        await().until(() -> this.watchdog.thread().getState() == Thread.State.TIMED_WAITING);

        this.watchdog.arm(alarmIn(1_000));

        await().untilAsserted(() -> assertThat(this.rung).hasValue(1));
    }

    @Test
    void neverRingsWhatWasDisarmed() {
        List<CountingAlarm> alarms = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            alarms.add(alarmIn(50_000));
        }
        alarms.forEach(this.watchdog::arm);
        alarms.forEach(this.watchdog::disarm);
        CountingAlarm last = alarmIn(60_000);
        this.watchdog.arm(last);

        await().until(() -> last.rings.get() == 1);

        assertThat(this.rung).hasValue(1);
    }

    /** C49: finished requests do not stay in the timer, whatever their budget. */
    @Test
    void keepsNothingOfFinishedRequests() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> running = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            running.add(threads.submit(() -> {
                for (int i = 0; i < 50_000; i++) {
                    CountingAlarm alarm = alarmIn(TimeUnit.MINUTES.toMicros(1));
                    this.watchdog.arm(alarm);
                    this.watchdog.disarm(alarm);
                }
            }));
        }
        for (Future<?> thread : running) {
            thread.get(60, TimeUnit.SECONDS);
        }
        threads.shutdown();

        await().untilAsserted(() -> assertThat(this.watchdog.isEmpty()).isTrue());
        assertThat(this.rung).hasValue(0);
    }

    @Test
    void decidesOnceBetweenRingingAndDisarming() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        AtomicInteger disarmed = new AtomicInteger();
        List<Future<?>> running = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            long seed = t;
            running.add(threads.submit(() -> {
                Random random = new Random(seed);
                for (int i = 0; i < 6_000; i++) {
                    CountingAlarm alarm = alarmIn(random.nextInt(100));
                    this.watchdog.arm(alarm);
                    long until = alarm.endNanos + random.nextInt(120_000);
                    while (System.nanoTime() - until < 0) {
                        Thread.onSpinWait();
                    }
                    this.watchdog.disarm(alarm);
                    if (alarm.state == Alarm.DISARMED) {
                        disarmed.incrementAndGet();
                    }
                }
            }));
        }
        for (Future<?> thread : running) {
            thread.get(60, TimeUnit.SECONDS);
        }
        threads.shutdown();

        await().untilAsserted(() -> assertThat(this.watchdog.isEmpty()).isTrue());
        await().untilAsserted(() -> assertThat(this.rung.get() + disarmed.get()).isEqualTo(24_000));
    }

    @Test
    void goesOnWhenAnAlarmThrows() {
        CountDownLatch reported = new CountDownLatch(1);
        this.watchdog.thread().setUncaughtExceptionHandler((thread, ex) -> reported.countDown());
        this.watchdog.arm(new Alarm(System.nanoTime()) {
            @Override
            void ring() {
                throw new IllegalStateException("broken");
            }
        });
        this.watchdog.arm(alarmIn(10_000));

        await().untilAsserted(() -> assertThat(this.rung).hasValue(1));
        assertThat(reported.getCount()).isZero();
    }

    /** C81: the thread ends with its application, and does not keep the JVM alive. */
    @Test
    void endsItsThread() {
        assertThat(this.watchdog.thread().isDaemon()).isTrue();

        this.watchdog.close();

        await().until(() -> !this.watchdog.thread().isAlive());
    }

    @Test
    void keepsItsHeapInOrder() {
        AlarmHeap heap = new AlarmHeap();
        Random random = new Random(2);
        List<CountingAlarm> alarms = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            CountingAlarm alarm = alarmIn(random.nextInt(100_000));
            alarms.add(alarm);
            heap.add(alarm);
        }
        for (int i = 0; i < 1_000; i += 3) {
            heap.remove(alarms.get(i));
            heap.remove(alarms.get(i));
        }
        long last = Long.MIN_VALUE;
        int left = heap.size();
        for (; left > 0; left--) {
            Alarm nearest = heap.peek();
            assertThat(nearest.endNanos).isGreaterThanOrEqualTo(last);
            last = nearest.endNanos;
            heap.remove(nearest);
        }
        assertThat(heap.size()).isZero();
        assertThat(heap.peek()).isNull();
    }

    private CountingAlarm alarmIn(long micros) {
        return new CountingAlarm(System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(micros));
    }

    private final class CountingAlarm extends Alarm {

        private final AtomicInteger rings = new AtomicInteger();

        CountingAlarm(long endNanos) {
            super(endNanos);
        }

        @Override
        void ring() {
            if (System.nanoTime() - this.endNanos < 0) {
                ThreadWatchdogTests.this.early.incrementAndGet();
            }
            this.rings.incrementAndGet();
            ThreadWatchdogTests.this.rung.incrementAndGet();
        }
    }
}
