package dev.deadline.compat.context;

import dev.deadline.Deadline;
import dev.deadline.DeadlineListener;
import dev.deadline.Deadlines;
import dev.deadline.Reason;
import dev.deadline.Steps;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.scheduling.annotation.Async;

/** Work that requests hand to another thread, and what is heard of it. */
class Work implements DeadlineListener {

    /** What a thread finds. */
    record Sighting(boolean bounded, boolean interrupted, boolean virtual) {

        @Override
        public String toString() {
            return "bounded=" + this.bounded + " interrupted=" + this.interrupted + " virtual=" + this.virtual;
        }
    }

    private final List<StepEvent> events = new CopyOnWriteArrayList<>();

    private volatile Sighting detached;

    void forget() {
        this.events.clear();
        this.detached = null;
    }

    List<StepEvent> events() {
        return this.events;
    }

    Sighting detached() {
        return this.detached;
    }

    @Override
    public void stepFinished(StepEvent event) {
        this.events.add(event);
    }

    static Sighting sighting() {
        // JDK 17 has no virtual threads, whose threads say so in their text.
        boolean virtual = Thread.currentThread().toString().startsWith("VirtualThread");
        return new Sighting(
                Deadline.current().isBounded(), Thread.currentThread().isInterrupted(), virtual);
    }

    /** What is done on the other thread. */
    static class Background {

        private final Steps steps;

        private final Deadlines deadlines;

        private final Work work;

        Background(Steps steps, Deadlines deadlines, Work work) {
            this.steps = steps;
            this.deadlines = deadlines;
            this.work = work;
        }

        @Async
        public CompletableFuture<String> look() {
            return CompletableFuture.completedFuture(sighting().toString());
        }

        @Async
        public void audit() throws InterruptedException {
            this.steps
                    .closed("audit")
                    .timeout(Duration.ofSeconds(30))
                    .call(() -> new CountDownLatch(1).await(30, TimeUnit.SECONDS));
        }

        @Async
        public void auditDetached(CompletableFuture<Reason> requestsEnd) throws Exception {
            try (Deadlines.Started own = this.deadlines.start(Duration.ofSeconds(60))) {
                auditAfter(requestsEnd);
            }
        }

        /** Works on until the budget of the request has ended, and then goes on. */
        public void auditAfter(CompletableFuture<Reason> requestsEnd) throws Exception {
            this.steps
                    .closed("record")
                    .timeout(Duration.ofSeconds(30))
                    .call(() -> requestsEnd.get(10, TimeUnit.SECONDS));
            this.work.detached = sighting();
        }
    }
}
