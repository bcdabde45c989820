package dev.deadline.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the library does for one request, while code of the application blocks in others. */
class ChoresTests {

    private static final int FALLBACKS = 200;

    private final RealEngine engine = new RealEngine();

    private final CountDownLatch released = new CountDownLatch(1);

    @AfterEach
    void close() {
        this.released.countDown();
        this.engine.close();
    }

    @Test
    void areDoneWhileFallbacksBlock() throws Exception {
        Scope request = this.engine.request(Duration.ofMinutes(1));
        for (int i = 0; i < FALLBACKS; i++) {
            request.afterwards().execute(this::block);
        }
        CountDownLatch answered = new CountDownLatch(1);

        this.engine.engine().schedule(0, answered::countDown);

        assertThat(answered.await(10, TimeUnit.SECONDS)).isTrue();
    }

    private void block() {
        try {
            this.released.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }
}
