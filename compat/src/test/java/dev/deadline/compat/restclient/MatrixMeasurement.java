package dev.deadline.compat.restclient;

import dev.deadline.Deadline;
import dev.deadline.DeadlineExceededException;
import dev.deadline.Deadlines;
import dev.deadline.compat.webclient.FaultServer;
import dev.deadline.compat.webclient.FullBacklog;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.springframework.context.ApplicationContext;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/** Measures one cell of the matrix with a client and an upstream of its own. */
final class MatrixMeasurement {

    private static final Duration BUDGET = Duration.ofMillis(250);

    private static final Duration OCCUPIED = Duration.ofSeconds(5);

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final int TRIES = 3;

    private final ApplicationContext application;

    private final MatrixClient client;

    private final MatrixFault fault;

    private final SimpleAsyncTaskExecutor threads = new SimpleAsyncTaskExecutor("matrix-");

    MatrixMeasurement(ApplicationContext application, MatrixClient client, MatrixFault fault, boolean virtual) {
        this.application = application;
        this.client = client;
        this.fault = fault;
        this.threads.setVirtualThreads(virtual);
    }

    /** Measures until the cell is as it should be, less what the machine itself was late, but not more than three times. */
    MatrixCell measure() throws Exception {
        MatrixCell best = null;
        for (int attempt = 0; attempt < TRIES; attempt++) {
            try (Canary canary = new Canary()) {
                MatrixCell measured = once();
                long hiccup = canary.hiccupMillis();
                MatrixCell cell = new MatrixCell(less(measured.caller(), hiccup), less(measured.upstream(), hiccup));
                if (cell.verdict().startsWith("released") && !cell.verdict().endsWith("open")) {
                    // A limit that is met is met without allowance where it can be.
                    return measured.verdict().equals(cell.verdict()) ? measured : cell;
                }
                best = (best == null || cell.caller() < best.caller()) ? cell : best;
            }
        }
        return best;
    }

    private static long less(long millis, long hiccup) {
        boolean measured = millis != MatrixCell.NONE && millis != MatrixCell.OPEN;
        return measured ? Math.max(0, millis - hiccup) : millis;
    }

    private MatrixCell once() throws Exception {
        Consumer<String> call = this.client.open(this.application);
        try (FaultServer other = new FaultServer()) {
            call.accept(other.url("/ok"));
        }
        return switch (this.fault) {
            case UNCONNECTABLE -> unconnectable(call);
            case POOL -> exhausted(call);
            case TLS_STALLED -> {
                try (FaultServer mute = FaultServer.mute()) {
                    yield closing(call, mute, mute.url("/").replace("http:", "https:"));
                }
            }
            default -> {
                try (FaultServer upstream = new FaultServer()) {
                    yield closing(call, upstream, upstream.url(this.fault.path()));
                }
            }
        };
    }

    private MatrixCell unconnectable(Consumer<String> call) throws Exception {
        try (FullBacklog full = new FullBacklog()) {
            return new MatrixCell(run(call, full.url())[1], MatrixCell.NONE);
        }
    }

    private MatrixCell exhausted(Consumer<String> call) throws Exception {
        try (FaultServer upstream = new FaultServer()) {
            CompletableFuture<Void> occupant = onThread(() -> {
                // HC5 calls again when the upstream is closed; its port may be another test's by then.
                try (Deadlines.Started started =
                        this.application.getBean(Deadlines.class).start(OCCUPIED)) {
                    call.accept(upstream.url("/silent"));
                }
                return null;
            });
            Awaitility.await().until(() -> upstream.requests().size() == 1);
            long caller = run(call, upstream.url(this.fault.path()))[1];
            upstream.close();
            ended(occupant.handle((nothing, failure) -> nothing));
            return new MatrixCell(caller, MatrixCell.NONE);
        }
    }

    private MatrixCell closing(Consumer<String> call, FaultServer upstream, String url) throws Exception {
        long[] times = run(call, url);
        long closed = upstream.closedAt(PATIENCE);
        long past = (closed == Long.MAX_VALUE) ? MatrixCell.OPEN : millis(Math.max(0, closed - times[0]));
        return new MatrixCell(times[1], past);
    }

    /** The deadline by the monotonic clock, and how many milliseconds later the caller had its thread back. */
    private long[] run(Consumer<String> call, String url) throws Exception {
        return ended(onThread(() -> {
            try (Deadlines.Started started =
                    this.application.getBean(Deadlines.class).start(BUDGET)) {
                long deadline =
                        System.nanoTime() + Deadline.current().remaining().toNanos();
                try {
                    call.accept(url);
                    throw new IllegalStateException(this.client + " was not stopped: " + this.fault);
                } catch (DeadlineExceededException ex) {
                    return new long[] {deadline, millis(Math.max(0, System.nanoTime() - deadline))};
                }
            }
        }));
    }

    /** What a call came to; one that never ends fails with the name of its cell. */
    private <T> T ended(CompletableFuture<T> call) throws Exception {
        try {
            return call.get(20, TimeUnit.SECONDS);
        } catch (TimeoutException ex) {
            throw new AssertionError(this.client + " never ended: " + this.fault, ex);
        }
    }

    private <T> CompletableFuture<T> onThread(Callable<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Executor executor = this.threads;
        executor.execute(() -> {
            try {
                result.complete(task.call());
            } catch (Throwable ex) {
                result.completeExceptionally(ex);
            }
        });
        return result;
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos + 500_000);
    }
}
