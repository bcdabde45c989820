package dev.deadline.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.deadline.engine.ArrivalStamp;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.tomcat.util.threads.TaskQueue;
import org.apache.tomcat.util.threads.TaskThreadFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StampingPoolTests {

    private final CountDownLatch release = new CountDownLatch(1);

    private final TaskQueue queue = new TaskQueue(2);

    private final StampingPool pool = new StampingPool(1, 1, 1000, this.queue, new TaskThreadFactory("pool-", true, 5));

    StampingPoolTests() {
        this.queue.setParent(this.pool);
    }

    @AfterEach
    void end() throws InterruptedException {
        this.release.countDown();
        this.pool.shutdownNow();
        assertThat(this.pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }

    private void keepBusy() {
        CountDownLatch begun = new CountDownLatch(1);
        this.pool.execute(() -> {
            begun.countDown();
            await().until(() -> this.release.getCount() == 0);
        });
        await().until(() -> begun.getCount() == 0);
    }

    /** The container gives the same object in again for the next piece of work, while the one before has not come to its end. */
    @Test
    void keepsTheArrivalsOfWorkApartThatIsTheSameObject() {
        List<Long> stamps = new ArrayList<>();
        Runnable work = () -> stamps.add(ArrivalStamp.take());
        keepBusy();
        long before = System.nanoTime();
        this.pool.execute(work);
        long between = System.nanoTime();
        this.pool.execute(work);
        long after = System.nanoTime();
        assertThat(this.pool.size()).isEqualTo(2);

        this.release.countDown();

        await().until(() -> this.pool.getSubmittedCount() == 0);
        assertThat(this.pool.size()).isZero();
        assertThat(stamps.get(0) - before).isBetween(0L, between - before);
        assertThat(stamps.get(1) - between).isBetween(0L, after - between);
    }

    @Test
    void leavesNoStampBehindWhetherWorkTakesItOrFails() {
        List<Boolean> known = new ArrayList<>();
        // Around the work, as what the pool itself does in between.
        StampingPool watching = new StampingPool(
                1,
                1,
                1000,
                new TaskQueue(),
                task -> new Thread(() -> {
                    try {
                        task.run();
                    } catch (IllegalStateException ex) {
                        known.add(ArrivalStamp.isKnown());
                    }
                }));
        watching.execute(() -> {
            throw new IllegalStateException("A bug");
        });
        await().until(() -> known.size() == 1);
        watching.shutdownNow();

        assertThat(known).containsExactly(false);
    }

    @Test
    void refusesWorkAsTomcatDoesWhenTheQueueIsFull() {
        keepBusy();
        this.pool.execute(() -> {});
        this.pool.execute(() -> {});

        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> this.pool.execute(() -> {}));

        assertThat(this.pool.getSubmittedCount()).isEqualTo(3);
    }

    @Test
    void refusesWorkWhenItIsShutDown() {
        this.pool.shutdown();

        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> this.pool.execute(() -> {}));
    }
}
