package dev.deadline.compat.gateway;

import static org.awaitility.Awaitility.await;

import dev.deadline.Deadline;
import dev.deadline.engine.RequestAnswer;
import dev.deadline.engine.Scope;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

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

    /** Begins at once, and ends when the test lets it. */
    @GetMapping("/streams")
    StreamingResponseBody streams() {
        CountDownLatch end = this.release;
        return out -> {
            // More than any container buffers, as Spring 7 flushes only at the end.
            out.write(new byte[20_000]);
            out.flush();
            try {
                out.write(end.await(10, TimeUnit.SECONDS) ? '.' : '!');
            } catch (InterruptedException ex) {
                Thread.currentThread().interrupt();
            }
        };
    }

    /** How long it waited, when its budget started, and what is left of that. */
    @GetMapping({"/tells", "/hurries"})
    String tells(@RequestAttribute(Scope.KEY) RequestAnswer answer, Deadline deadline) {
        this.served.incrementAndGet();
        this.thread = Thread.currentThread();
        return told(answer) + "," + deadline.startedAt().toEpochMilli() + ","
                + deadline.remaining().toMillis();
    }

    /** Is answered in a dispatch of its own, once the first one is over. */
    @GetMapping("/defers")
    DeferredResult<String> defers(@RequestAttribute(Scope.KEY) RequestAnswer answer) {
        DeferredResult<String> result = new DeferredResult<>();
        Thread first = Thread.currentThread();
        new Thread(() -> {
                    await().until(() -> isIdle(first));
                    result.setResult(told(answer));
                })
                .start();
        return result;
    }

    /** Whether a thread of the pool waits for work. */
    static boolean isIdle(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("getTask"));
    }

    private static String told(RequestAnswer answer) {
        long queued = answer.queuedNanos();
        return (queued == RequestAnswer.UNKNOWN)
                ? "unknown"
                : String.valueOf(Duration.ofNanos(queued).toMillis());
    }
}
