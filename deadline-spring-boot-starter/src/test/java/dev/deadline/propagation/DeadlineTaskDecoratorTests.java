package dev.deadline.propagation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.Deadline;
import dev.deadline.Deadlines;
import dev.deadline.engine.EngineDeadlines;
import dev.deadline.engine.RealEngine;
import dev.deadline.engine.Scope;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;

class DeadlineTaskDecoratorTests {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final RealEngine engine = new RealEngine();

    private final Deadlines deadlines = new EngineDeadlines(this.engine.engine());

    private final ExecutorService worker = Executors.newSingleThreadExecutor();

    private final AtomicReference<Deadline> seen = new AtomicReference<>();

    private final Runnable look = () -> this.seen.set(Deadline.current());

    @AfterEach
    void close() {
        this.worker.shutdownNow();
        this.engine.close();
        assertThat(Deadline.current()).isSameAs(Deadline.none());
    }

    private Deadline run(Runnable task) throws Exception {
        this.worker.submit(task).get();
        return this.seen.get();
    }

    private static Deadline origin(Deadline deadline) {
        return ((Scope) deadline).origin();
    }

    /** C38: the task has the deadline, the thread has nothing afterwards. */
    @Test
    void carriesTheDeadlineForOneTask() throws Exception {
        try (Deadlines.Started started = this.deadlines.start(LONG)) {
            assertThat(origin(run(DeadlineTaskDecorator.around(null).decorate(this.look))))
                    .isSameAs(started.deadline());
        }
        assertThat(run(this.look)).isSameAs(Deadline.none());
    }

    /** C38: a task that throws leaves nothing either. */
    @Test
    void leavesNothingBehindATaskThatThrows() throws Exception {
        try (Deadlines.Started started = this.deadlines.start(LONG)) {
            Runnable failing = DeadlineTaskDecorator.around(null).decorate(() -> {
                throw new IllegalStateException("on purpose");
            });
            assertThat(this.worker.submit(failing)).failsWithin(Duration.ofSeconds(10));
        }
        assertThat(run(this.look)).isSameAs(Deadline.none());
    }

    @Test
    void leavesATaskWithoutDeadlineAsItIs() {
        assertThat(DeadlineTaskDecorator.around(null).decorate(this.look)).isSameAs(this.look);
    }

    /** The step's end, not the request's: children only shorten. */
    @Test
    void carriesTheInnermostDeadline() throws Exception {
        try (Deadlines.Started outer = this.deadlines.start(LONG)) {
            Runnable task;
            try (Deadlines.Started inner = this.deadlines.start(Duration.ofSeconds(20))) {
                task = DeadlineTaskDecorator.around(null).decorate(this.look);
            }
            assertThat(run(task).remaining()).isLessThanOrEqualTo(Duration.ofSeconds(20));
        }
    }

    @Test
    void carriesOnceAroundSpringsDecorator() throws Exception {
        try (ThreadLocalRegistration registration = new ThreadLocalRegistration();
                Deadlines.Started started = this.deadlines.start(LONG)) {
            TaskDecorator both = DeadlineTaskDecorator.around(new ContextPropagatingTaskDecorator());

            assertThat(origin(run(both.decorate(this.look)))).isSameAs(started.deadline());
            assertThat(run(this.look)).isSameAs(Deadline.none());
        }
    }

    @Test
    void isNotPutAroundItself() {
        DeadlineTaskDecorator carrying = DeadlineTaskDecorator.around(null);

        assertThat(DeadlineTaskDecorator.around(carrying)).isSameAs(carrying);
    }

    /** C40: an application whose decorator detaches everything keeps doing that. */
    @Test
    void leavesTheLastWordToTheOtherDecorator() throws Exception {
        TaskDecorator detaching = DeadlineTaskDecorator.around(task -> this.deadlines.detached(LONG, task));
        try (Deadlines.Started started = this.deadlines.start(Duration.ofSeconds(10))) {
            assertThat(run(detaching.decorate(this.look)).remaining()).isGreaterThan(Duration.ofSeconds(30));
        }
    }
}
