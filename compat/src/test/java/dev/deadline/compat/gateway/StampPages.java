package dev.deadline.compat.gateway;

import dev.deadline.Deadline;
import dev.deadline.engine.RequestAnswer;
import dev.deadline.engine.Scope;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;

@RestController
class StampPages {

    final AtomicInteger holding = new AtomicInteger();

    final AtomicInteger served = new AtomicInteger();

    volatile CountDownLatch release = new CountDownLatch(1);

    volatile Thread thread = Thread.currentThread();

    /** Keeps its thread until the test lets it go. */
    @GetMapping("/holds")
    String holds() throws InterruptedException {
        this.holding.incrementAndGet();
        return this.release.await(10, TimeUnit.SECONDS) ? "released" : "forgotten";
    }

    /** How long it waited, when its budget started, and what is left of that. */
    @GetMapping({"/tells", "/hurries"})
    String tells(@RequestAttribute(Scope.KEY) RequestAnswer answer, Deadline deadline) {
        this.served.incrementAndGet();
        this.thread = Thread.currentThread();
        return told(answer) + "," + deadline.startedAt().toEpochMilli() + ","
                + deadline.remaining().toMillis();
    }

    /** Is answered in a dispatch of its own. */
    @GetMapping("/defers")
    DeferredResult<String> defers(@RequestAttribute(Scope.KEY) RequestAnswer answer) {
        DeferredResult<String> result = new DeferredResult<>();
        new Thread(() -> result.setResult(told(answer))).start();
        return result;
    }

    private static String told(RequestAnswer answer) {
        long queued = answer.queuedNanos();
        return (queued == RequestAnswer.UNKNOWN)
                ? "unknown"
                : String.valueOf(Duration.ofNanos(queued).toMillis());
    }
}
