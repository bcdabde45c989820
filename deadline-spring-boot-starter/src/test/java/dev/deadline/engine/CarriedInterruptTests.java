package dev.deadline.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.deadline.DeadlineExceededException;
import dev.deadline.Reason;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Work that was carried to a pooled thread blocks there in a client's call: it is stopped at the request's end. */
class CarriedInterruptTests {

    private static final Duration SHORT = Duration.ofMillis(50);

    private final RealEngine engine = new RealEngine();

    @AfterEach
    void close() {
        this.engine.close();
    }

    /** Threads of a pool, and virtual ones where the JVM has them. */
    static Stream<ExecutorService> executors() throws ReflectiveOperationException {
        Stream<ExecutorService> platform = Stream.of(Executors.newSingleThreadExecutor());
        if (Runtime.version().feature() < 21) {
            return platform;
        }
        Object virtual =
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        return Stream.concat(platform, Stream.of((ExecutorService) virtual));
    }

    private <T> T carried(ExecutorService executor, Scope from, Callable<T> work) throws Exception {
        Future<T> result = executor.submit(() -> {
            try (Section section = DeadlineEngine.carry(from)) {
                return work.call();
            }
        });
        try {
            return result.get(10, TimeUnit.SECONDS);
        } finally {
            executor.shutdownNow();
        }
    }

    private static boolean isInterruptedWhenBlocking() {
        try {
            new CountDownLatch(1).await(10, TimeUnit.SECONDS);
            return false;
        } catch (InterruptedException ex) {
            return true;
        }
    }

    @ParameterizedTest
    @MethodSource("executors")
    void interruptsAnInterruptibleSection(ExecutorService executor) throws Exception {
        Scope request = this.engine.request(SHORT);

        boolean interrupted = carried(executor, request, () -> {
            try (Section call = DeadlineEngine.interruptible()) {
                return isInterruptedWhenBlocking();
            }
        });

        assertThat(interrupted).isTrue();
        assertThat(request.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED);
    }

    /** C40: also when the request has been answered long before. */
    @ParameterizedTest
    @MethodSource("executors")
    void interruptsThoughTheRequestHasEnded(ExecutorService executor) throws Exception {
        Scope request = this.engine.request(SHORT);
        request.complete();

        boolean interrupted = carried(executor, request, () -> {
            try (Section call = DeadlineEngine.interruptible()) {
                return isInterruptedWhenBlocking();
            }
        });

        assertThat(interrupted).isTrue();
        assertThat(request.reason()).isNull();
    }

    @ParameterizedTest
    @MethodSource("executors")
    void stopsAGuardedCallByItsMeans(ExecutorService executor) throws Exception {
        Scope request = this.engine.request(SHORT);
        CountDownLatch closed = new CountDownLatch(1);
        AtomicInteger attempts = new AtomicInteger();

        CallGuard.Exit exit = carried(executor, request, () -> {
            CallGuard guard = CallGuard.of(DeadlineEngine.currentScope(), sinceFirst -> {
                attempts.incrementAndGet();
                closed.countDown();
            });
            try (guard;
                    Section shield = DeadlineEngine.shield()) {
                guard.enter();
                assertThat(closed.await(10, TimeUnit.SECONDS)).isTrue();
                return guard.leave();
            }
        });

        assertThat(exit).isEqualTo(CallGuard.Exit.STOPPED);
        assertThat(attempts).hasPositiveValue();
    }

    @ParameterizedTest
    @MethodSource("executors")
    void refusesFurtherCalls(ExecutorService executor) throws Exception {
        Scope request = this.engine.request(SHORT);

        carried(executor, request, () -> {
            try (Section call = DeadlineEngine.interruptible()) {
                isInterruptedWhenBlocking();
            }
            try (CallGuard guard = CallGuard.of(DeadlineEngine.currentScope(), sinceFirst -> {})) {
                assertThatExceptionOfType(DeadlineExceededException.class)
                        .isThrownBy(guard::enter)
                        .satisfies(ex -> assertThat(ex.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED));
            }
            return null;
        });
    }

    /** C35: what the interrupt was for is over, so the flag is gone. */
    @ParameterizedTest
    @MethodSource("executors")
    void leavesNoFlagBehindTheSection(ExecutorService executor) throws Exception {
        Scope request = this.engine.request(SHORT);

        boolean flag = carried(executor, request, () -> {
            try (Section call = DeadlineEngine.interruptible()) {
                while (!Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                }
            }
            return Thread.currentThread().isInterrupted();
        });

        assertThat(flag).isFalse();
    }

    /** Code that said nothing about itself may not be fit for an interrupt. */
    @ParameterizedTest
    @MethodSource("executors")
    void interruptsNothingOutsideSections(ExecutorService executor) throws Exception {
        Scope request = this.engine.request(SHORT);
        CountDownLatch over = new CountDownLatch(1);
        request.onCancel(reason -> over.countDown());

        boolean flag = carried(executor, request, () -> {
            assertThat(over.await(10, TimeUnit.SECONDS)).isTrue();
            return Thread.currentThread().isInterrupted();
        });

        assertThat(flag).isFalse();
    }
}
