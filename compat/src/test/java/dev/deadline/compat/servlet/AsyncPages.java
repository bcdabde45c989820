package dev.deadline.compat.servlet;

import dev.deadline.Deadline;
import dev.deadline.Steps;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.Mono;

/** Controllers that answer from elsewhere. */
@RestController
class AsyncPages {

    private final Steps.Open flags;

    final AtomicInteger uploads = new AtomicInteger();

    final CountDownLatch uploadsOver = new CountDownLatch(1);

    AsyncPages(Steps steps) {
        this.flags = steps.open("async-flags").timeout(Duration.ofMillis(40));
    }

    private static Map<String, Object> seen(Deadline own) {
        Deadline current = Deadline.current();
        return Map.of(
                "bounded", current.isBounded(),
                "remaining", current.remaining().toMillis(),
                "own", own.remaining().toMillis(),
                "thread", Thread.currentThread().getName());
    }

    @GetMapping("/async/callable")
    Callable<Map<String, Object>> callable(Deadline own) {
        return () -> seen(own);
    }

    @GetMapping("/async/callable/degraded")
    Callable<String> degraded() {
        return () -> this.flags.call(
                () -> {
                    new CountDownLatch(1).await(20, TimeUnit.SECONDS);
                    return "answered";
                },
                failure -> "default");
    }

    @GetMapping("/async/callable/late")
    Callable<String> lateCallable() {
        return () -> {
            Pages.awaitDeadline();
            // Nothing stops this thread: it comes back long after the request was answered.
            new CountDownLatch(1).await(600, TimeUnit.MILLISECONDS);
            return "too late";
        };
    }

    /** Comes back only when it is allowed to, also when its client has gone. */
    @PostMapping("/async/upload")
    Callable<String> upload(HttpServletRequest request) {
        this.uploads.incrementAndGet();
        return () -> {
            try {
                return "read " + request.getInputStream().readAllBytes().length;
            } finally {
                this.uploadsOver.await(20, TimeUnit.SECONDS);
            }
        };
    }

    @GetMapping("/async/deferred")
    DeferredResult<String> deferred() {
        DeferredResult<String> result = new DeferredResult<>();
        result.setResult("deferred");
        return result;
    }

    @GetMapping("/async/deferred/late")
    DeferredResult<String> lateDeferred() {
        return new DeferredResult<>();
    }

    @GetMapping("/async/stage/late")
    CompletionStage<String> lateStage() {
        return new CompletableFuture<>();
    }

    @GetMapping("/async/mono/late")
    Mono<String> lateMono() {
        return Mono.never();
    }

    @GetMapping("/async/context/late")
    void lateContext(HttpServletRequest request) {
        request.startAsync();
    }

    @GetMapping("/async/context/completes-late")
    void completesLate(HttpServletRequest request, Deadline own) {
        AsyncContext context = request.startAsync();
        own.onCancel(reason -> context.complete());
    }

    @GetMapping("/async/stream")
    StreamingResponseBody stream(Deadline own) {
        return out -> {
            // More than any container buffers, as Spring 7 flushes only at the end.
            out.write("x".repeat(100_000).getBytes());
            out.flush();
            await(own);
            out.write("tail".getBytes());
        };
    }

    @GetMapping("/async/stream/late")
    StreamingResponseBody lateStream() {
        return out -> {
            try {
                Pages.awaitDeadline();
            } catch (InterruptedException ex) {
                throw new IOException(ex);
            }
            out.write("too late".getBytes());
            out.flush();
        };
    }

    @GetMapping("/async/events")
    SseEmitter events(Deadline own) {
        SseEmitter emitter = new SseEmitter();
        new Thread(() -> {
                    try {
                        emitter.send("first");
                        await(own);
                        emitter.send("second");
                        emitter.complete();
                    } catch (IOException ex) {
                        emitter.completeWithError(ex);
                    }
                })
                .start();
        return emitter;
    }

    // Goes by the time left, as a stream whose first byte is out is not cancelled.
    private static void await(Deadline own) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .until(() -> own.remaining().isZero());
    }
}
