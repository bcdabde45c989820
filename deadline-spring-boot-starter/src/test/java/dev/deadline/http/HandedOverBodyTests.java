package dev.deadline.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.BOOLEAN;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.StringUtils;

@ExtendWith(OutputCaptureExtension.class)
class HandedOverBodyTests {

    private static final int ROUNDS = 20_000;

    private final AtomicInteger disconnects = new AtomicInteger();

    @Test
    void readsWhatIsThere() throws IOException {
        byte[] content = new byte[30_000];
        new Random(7).nextBytes(content);

        HandedOverBody body =
                new HandedOverBody(new ByteArrayInputStream(content), -1, this.disconnects::incrementAndGet);

        assertThat(body.readAllBytes()).isEqualTo(content);
        assertThat(body.read()).isEqualTo(-1);
        assertThat(body.abandon()).isFalse();
        assertThat(this.disconnects).hasValue(0);
    }

    @Test
    void readsWhatComesLater() throws IOException {
        HandedOverBody body = new HandedOverBody(new LateStream(200), 200, this.disconnects::incrementAndGet);

        assertThat(body.readAllBytes()).hasSize(200);
    }

    @Test
    void passesOnWhatReadingThrows() {
        HandedOverBody body = new HandedOverBody(
                new InputStream() {
                    @Override
                    public int read() throws IOException {
                        throw new IOException("reset");
                    }
                },
                -1,
                this.disconnects::incrementAndGet);

        assertThatExceptionOfType(IOException.class).isThrownBy(body::read).withMessage("reset");
    }

    @Test
    void keepsTheInterruptOfSomebodyElse() throws IOException {
        HandedOverBody body = new HandedOverBody(new LateStream(1), 1, this.disconnects::incrementAndGet);
        Thread.currentThread().interrupt();

        assertThat(body.read()).isZero();
        assertThat(Thread.interrupted()).isTrue();
    }

    /**
     * A read that is abandoned just when it returns: the connection is closed if and only if it was abandoned, and an
     * interrupt that was meant for one read reaches no other.
     */
    @Test
    void disconnectsExactlyTheReadsThatAreAbandoned() throws Exception {
        ExecutorService stoppers = Executors.newSingleThreadExecutor();
        AtomicInteger strays = new AtomicInteger();
        int abandoned = 0;
        try {
            for (int round = 0; round < ROUNDS; round++) {
                CountDownLatch reading = new CountDownLatch(1);
                int spins = round % 400;
                HandedOverBody body = new HandedOverBody(
                        new InputStream() {
                            @Override
                            public int read() {
                                if (Thread.currentThread().isInterrupted()) {
                                    strays.incrementAndGet();
                                }
                                reading.countDown();
                                spin(spins);
                                return 1;
                            }

                            @Override
                            public int read(byte[] target, int offset, int size) {
                                return (read() < 0) ? -1 : 1;
                            }
                        },
                        -1,
                        this.disconnects::incrementAndGet);
                CompletableFuture<Boolean> stop = CompletableFuture.supplyAsync(
                        () -> {
                            awaitQuietly(reading);
                            spin(200);
                            return body.abandon();
                        },
                        stoppers);
                boolean failed = false;
                try {
                    body.read();
                } catch (IOException ex) {
                    failed = true;
                }
                if (stop.join()) {
                    abandoned++;
                    assertThat(failed).isTrue();
                } else {
                    assertThat(failed).isFalse();
                }
            }
        } finally {
            stoppers.shutdown();
        }

        int expected = abandoned;
        assertThat(expected).isBetween(ROUNDS / 100, ROUNDS - ROUNDS / 100);
        await().untilAsserted(() -> assertThat(this.disconnects).hasValue(expected));
        assertThat(strays).hasValue(0);
    }

    /** From Java 21 on the reading thread is a virtual one, which an interrupt ends. */
    @Test
    void tellsOnceThatTheReadingThreadStaysBehind(CapturedOutput output) {
        HandedOverBody.TOLD.set(false);
        for (int time = 0; time < 2; time++) {
            assertAbandoned();
        }

        String told = "The body of a response was cut that is read with SimpleClientHttpRequestFactory";
        int times = StringUtils.countOccurrencesOf(output.getAll(), told);
        assertThat(times).isEqualTo((Runtime.version().feature() < 21) ? 1 : 0);
    }

    private void assertAbandoned() {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch next = new CountDownLatch(1);
        HandedOverBody body = new HandedOverBody(
                new InputStream() {
                    @Override
                    public int read() {
                        reading.countDown();
                        awaitQuietly(next);
                        return -1;
                    }
                },
                -1,
                this.disconnects::incrementAndGet);
        CompletableFuture<Boolean> stop = CompletableFuture.supplyAsync(() -> {
            awaitQuietly(reading);
            return body.abandon();
        });

        assertThatExceptionOfType(IOException.class).isThrownBy(body::read).withMessage("The deadline has passed");
        assertThat(stop).succeedsWithin(Duration.ofSeconds(10), BOOLEAN).isTrue();
        next.countDown();
        await().untilAsserted(() -> assertThat(this.disconnects).hasPositiveValue());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ex) {
            throw new IllegalStateException(ex);
        }
    }

    private static void spin(int times) {
        for (int spin = 0; spin < times; spin++) {
            Thread.onSpinWait();
        }
    }

    /** Never says that something is there. */
    private static final class LateStream extends InputStream {

        private int left;

        LateStream(int size) {
            this.left = size;
        }

        @Override
        public int read() {
            return (this.left-- > 0) ? 0 : -1;
        }
    }
}
