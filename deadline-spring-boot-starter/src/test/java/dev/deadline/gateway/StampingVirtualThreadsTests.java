package dev.deadline.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.function.IntConsumer;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

@EnabledForJreRange(min = JRE.JAVA_21)
class StampingVirtualThreadsTests {

    /** A plain number would be off for good after the threads that bring work and those that begin it have met. */
    @Test
    void countsWhatWaitsAndNothingElse() throws Exception {
        StampingVirtualThreads threads = new StampingVirtualThreads(new VirtualThreadExecutor("test-"));
        int bringers = 4;
        int each = 20_000;
        Semaphore done = new Semaphore(0);
        CountDownLatch ready = new CountDownLatch(bringers);
        for (int b = 0; b < bringers; b++) {
            new Thread(() -> {
                        ready.countDown();
                        for (int i = 0; i < each; i++) {
                            threads.execute(done::release);
                        }
                    })
                    .start();
        }

        await().until(() -> done.availablePermits() == bringers * each);
        assertThat(threads.size()).isZero();
        threads.shutdown();
    }

    /** As above, where nothing takes longer than the counting, so that the threads do meet. */
    @Test
    void losesCountOfNothingWhenThreadsMeet() throws InterruptedException {
        StampingVirtualThreads threads = new StampingVirtualThreads(new VirtualThreadExecutor("test-") {

            @Override
            public void execute(Runnable work) {
                work.run();
            }
        });
        IntConsumer bring = round -> {
            for (int i = 0; i < 20_000; i++) {
                threads.execute(() -> {});
            }
        };

        Lockstep.run(20, bring, bring);

        assertThat(threads.size()).isZero();
    }
}
