package dev.deadline.propagation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.Deadline;
import dev.deadline.Deadlines;
import dev.deadline.engine.EngineDeadlines;
import dev.deadline.engine.RealEngine;
import dev.deadline.engine.Scope;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeadlineThreadLocalAccessorTests {

    private final RealEngine engine = new RealEngine();

    private final Deadlines deadlines = new EngineDeadlines(this.engine.engine());

    private final ContextRegistry registry =
            new ContextRegistry().registerThreadLocalAccessor(new DeadlineThreadLocalAccessor());

    private final ContextSnapshotFactory snapshots =
            ContextSnapshotFactory.builder().contextRegistry(this.registry).build();

    private final ExecutorService worker = Executors.newSingleThreadExecutor();

    @AfterEach
    void close() {
        this.worker.shutdownNow();
        this.engine.close();
        assertThat(Deadline.current()).isSameAs(Deadline.none());
    }

    @Test
    void carriesTheDeadlineToAnotherThread() throws Exception {
        try (Deadlines.Started started = this.deadlines.start(Duration.ofMinutes(1))) {
            ContextSnapshot snapshot = this.snapshots.captureAll();

            boolean bounded = this.worker
                    .submit(snapshot.wrap(() -> Deadline.current().isBounded()
                            && Deadline.current().remaining().toSeconds() >= 50))
                    .get();

            assertThat(bounded).isTrue();
            assertThat(this.worker.submit(Deadline::current).get()).isSameAs(Deadline.none());
        }
    }

    /** C38: a snapshot without a deadline hides the thread's, and gives it back. */
    @Test
    void hidesTheDeadlineOfTheThread() {
        ContextSnapshot without = this.snapshots.captureAll();
        try (Deadlines.Started started = this.deadlines.start(Duration.ofMinutes(1))) {
            try (ContextSnapshot.Scope scope = without.setThreadLocals()) {
                assertThat(Deadline.current()).isSameAs(Deadline.none());
            }

            assertThat(Deadline.current()).isSameAs(started.deadline());
        }
    }

    @Test
    void nests() {
        try (Deadlines.Started outer = this.deadlines.start(Duration.ofMinutes(1))) {
            ContextSnapshot first = this.snapshots.captureAll();
            try (Deadlines.Started inner = this.deadlines.start(Duration.ofMinutes(2))) {
                ContextSnapshot second = this.snapshots.captureAll();
                try (ContextSnapshot.Scope one = first.setThreadLocals()) {
                    assertThat(origin()).isSameAs(outer.deadline());
                    try (ContextSnapshot.Scope two = second.setThreadLocals()) {
                        assertThat(origin()).isSameAs(inner.deadline());
                    }
                    assertThat(origin()).isSameAs(outer.deadline());
                }
                assertThat(Deadline.current()).isSameAs(inner.deadline());
            }
        }
    }

    private static Deadline origin() {
        return ((Scope) Deadline.current()).origin();
    }

    /** C40, C41: the deadline is a value that outlives what it was opened for. */
    @Test
    void endsAtItsTimeThoughTheRequestWasAnswered() throws Exception {
        ContextSnapshot snapshot;
        try (Deadlines.Started started = this.deadlines.start(Duration.ofMillis(100))) {
            snapshot = this.snapshots.captureAll();
        }

        String reason = this.worker
                .submit(snapshot.wrap(() -> {
                    CompletableFuture<String> ended = new CompletableFuture<>();
                    Deadline.current().onCancel(cause -> ended.complete(cause.code()));
                    return ended.get();
                }))
                .get();

        assertThat(reason).isEqualTo("budget_exhausted");
    }

    @Test
    void leavesTheRegistryWithTheLastApplication() {
        ThreadLocalRegistration first = new ThreadLocalRegistration();
        ThreadLocalRegistration second = new ThreadLocalRegistration();

        first.close();
        assertThat(isRegistered()).isTrue();
        second.close();
        assertThat(isRegistered()).isFalse();
    }

    private static boolean isRegistered() {
        return ContextRegistry.getInstance().getThreadLocalAccessors().stream()
                .anyMatch(accessor -> accessor.key().equals("dev.deadline"));
    }
}
