package dev.deadline.compat.servlet;

import dev.deadline.StepFailedException;
import dev.deadline.Steps;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Pages with steps that do not answer. */
@RestController
class StepPages {

    private final Steps.Open flags;

    private final Steps.Closed gate;

    StepPages(Steps steps) {
        this.flags = steps.open("flags").timeout(Duration.ofMillis(40));
        this.gate = steps.closed("gate-keeper").timeout(Duration.ofMillis(40));
    }

    private static String hang() throws InterruptedException {
        new CountDownLatch(1).await(20, TimeUnit.SECONDS);
        return "answered after all";
    }

    private String flags() throws InterruptedException {
        return this.flags.call(StepPages::hang, failure -> "default");
    }

    @GetMapping("/degraded/cacheable")
    ResponseEntity<String> cacheable() throws Exception {
        String value = flags();
        return ResponseEntity.ok()
                .cacheControl(CacheControl.maxAge(Duration.ofSeconds(60)))
                .eTag("v1")
                .header("Last-Modified", "Tue, 03 Jun 2008 11:05:30 GMT")
                .header("Expires", "Tue, 03 Jun 2036 11:05:30 GMT")
                .body(value);
    }

    @GetMapping("/degraded/after-flush")
    void afterFlush(HttpServletResponse response) throws Exception {
        response.setStatus(201);
        response.setHeader("X-Custom", "kept");
        response.setHeader("Cache-Control", "max-age=60");
        response.getWriter().write("head,");
        response.flushBuffer();
        response.getWriter().write(flags());
    }

    @GetMapping("/degraded/before-flush")
    void beforeFlush(HttpServletResponse response) throws Exception {
        response.setStatus(201);
        response.setHeader("Cache-Control", "max-age=60");
        response.getWriter().write(flags());
        response.flushBuffer();
        response.getWriter().write(",tail");
    }

    @GetMapping("/degraded/large")
    void large(HttpServletResponse response) throws Exception {
        flags();
        byte[] block = new byte[50_000];
        response.getOutputStream().write(block);
    }

    @GetMapping("/degraded/announced")
    void announced(HttpServletResponse response) throws Exception {
        flags();
        response.setContentLength(4);
        response.getOutputStream().write("done".getBytes());
    }

    @GetMapping("/degraded/reset")
    void reset(HttpServletResponse response) throws Exception {
        response.setHeader("X-Custom", "lost");
        response.setHeader("ETag", "\"v1\"");
        flags();
        response.reset();
        response.setHeader("Cache-Control", "max-age=60");
        response.getWriter().write("anew");
    }

    @GetMapping("/degraded/redirect")
    void redirect(HttpServletResponse response) throws Exception {
        flags();
        response.sendRedirect("/healthy");
    }

    @GetMapping("/degraded/not-found")
    void notFound(HttpServletResponse response) throws Exception {
        response.setHeader("ETag", "\"v1\"");
        flags();
        response.sendError(404);
    }

    @GetMapping("/degraded/breaks")
    void breaks() throws Exception {
        flags();
        throw new ServletException("A bug of the application");
    }

    @GetMapping("/degraded/forward")
    void forward(HttpServletRequest request, HttpServletResponse response) throws Exception {
        flags();
        request.getRequestDispatcher("/healthy").forward(request, response);
    }

    @GetMapping("/degraded/forward-plain")
    void forwardPlain(HttpServletRequest request, HttpServletResponse response) throws Exception {
        flags();
        request.getRequestDispatcher("/plain").forward(request, response);
    }

    @GetMapping("/degraded/include")
    void include(HttpServletRequest request, HttpServletResponse response) throws Exception {
        response.setHeader("X-Custom", "kept");
        request.getRequestDispatcher("/degraded/before-flush").include(request, response);
    }

    @GetMapping("/healthy/include")
    void includeHealthy(HttpServletRequest request, HttpServletResponse response) throws Exception {
        response.setHeader("Cache-Control", "max-age=5");
        request.getRequestDispatcher("/healthy").include(request, response);
    }

    @GetMapping("/gate/closed")
    String closed() throws Exception {
        return this.gate.call(StepPages::hang);
    }

    @GetMapping("/gate/joined")
    String joined() {
        return CompletableFuture.<String>failedFuture(new StepFailedException(
                        "elsewhere", dev.deadline.Reason.UPSTREAM_ERROR, Duration.ZERO, false, null))
                .join();
    }

    @GetMapping("/gate/evil")
    String evil() {
        throw new StepFailedException(
                "a\r\nX-Evil: 1, \"b", dev.deadline.Reason.UPSTREAM_ERROR, Duration.ofMillis(3), false, null);
    }

    @GetMapping("/gate/swallowed")
    String swallowed() throws Exception {
        try {
            return this.gate.call(StepPages::hang);
        } catch (StepFailedException ex) {
            return "swallowed";
        }
    }

    /** Answers our exception itself. */
    @RestController
    static class WithHandlerOfItsOwn {

        private final Steps.Closed gate;

        WithHandlerOfItsOwn(Steps steps) {
            this.gate = steps.closed("own-gate").timeout(Duration.ofMillis(40));
        }

        @GetMapping("/gate/own-handler")
        String ownHandler() throws Exception {
            return this.gate.call(StepPages::hang);
        }

        @ExceptionHandler
        ResponseEntity<String> handle(StepFailedException failure) throws IOException {
            return ResponseEntity.status(402).body("own answer for " + failure.stepName());
        }
    }
}
