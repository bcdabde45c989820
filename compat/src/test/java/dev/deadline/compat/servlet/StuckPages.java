package dev.deadline.compat.servlet;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Pages whose handlers compute and cannot be stopped. */
@RestController
class StuckPages {

    static final AtomicInteger spinning = new AtomicInteger();

    private static volatile boolean released;

    private final Executor executor;

    StuckPages(@Qualifier("applicationTaskExecutor") Executor executor) {
        this.executor = executor;
    }

    static void hold() {
        released = false;
    }

    static void release() {
        released = true;
    }

    /** Keeps a processor busy until it is released, for 20 seconds at most. */
    private static void spin() {
        spinning.incrementAndGet();
        long start = System.nanoTime();
        while (!released && System.nanoTime() - start < 20_000_000_000L) {
            Thread.onSpinWait();
        }
        spinning.decrementAndGet();
    }

    @GetMapping("/stuck/{then}")
    String spins(@PathVariable String then, HttpServletRequest request, HttpServletResponse response) throws Exception {
        request.setAttribute("mine", then);
        response.addCookie(new Cookie("seen", "1"));
        response.setHeader("X-Custom", "kept");
        response.setHeader("ETag", "\"v1\"");
        response.setContentType("application/pdf");
        switch (then) {
            case "with-a-writer" -> response.getWriter().write("half of it");
            case "with-a-stream" -> response.getOutputStream().write("half of it".getBytes());
            case "with-async" -> request.startAsync();
            default -> {}
        }
        spin();
        if (!then.equals(request.getAttribute("mine"))) {
            throw new IllegalStateException("The attributes of the request are gone");
        }
        return actLate(then, request, response);
    }

    private static String actLate(String then, HttpServletRequest request, HttpServletResponse response)
            throws Exception {
        switch (then) {
            case "throws" -> throw new IllegalStateException("thrown too late");
            case "errs" -> response.sendError(418);
            case "redirects" -> response.sendRedirect("/healthy");
            case "resets" -> response.reset();
            case "decorates" -> decorate(response);
            case "writes", "with-a-writer" -> response.getWriter().write("too late");
            case "floods" -> flood(response);
            case "forwards" -> request.getRequestDispatcher("/plain").forward(request, response);
            default -> {}
        }
        return "too late";
    }

    private static void decorate(HttpServletResponse response) {
        response.addCookie(new Cookie("late", "1"));
        response.setStatus(200);
        response.setHeader("X-Late", "1");
        response.setContentType("text/plain");
        response.setCharacterEncoding("UTF-16");
        response.setContentLength(3);
        response.setBufferSize(100_000);
    }

    private static void flood(HttpServletResponse response) throws IOException {
        byte[] block = new byte[1000];
        while (true) {
            response.getOutputStream().write(block);
        }
    }

    @GetMapping("/stuck-elsewhere/callable")
    Callable<String> spinsInCallable() {
        return () -> {
            spin();
            return "too late";
        };
    }

    @GetMapping("/stuck-elsewhere/stream")
    StreamingResponseBody spinsInStream() {
        return out -> spin();
    }

    @GetMapping("/stuck-elsewhere/executor")
    CompletionStage<Void> spinsInExecutor() {
        return CompletableFuture.runAsync(StuckPages::spin, this.executor);
    }

    @GetMapping("/stuck-after-head")
    void spinsAfterHead(HttpServletResponse response) throws IOException {
        response.getWriter().write("head,");
        response.flushBuffer();
        spin();
        response.getWriter().write("tail");
    }

    /** Takes as long as it is told, and counts on nobody. */
    @GetMapping("/busy/{id}")
    String busy(@PathVariable String id, @RequestParam long millis, HttpServletResponse response) {
        response.setHeader("X-Id", id);
        long start = System.nanoTime();
        while (System.nanoTime() - start < millis * 1_000_000) {
            Thread.onSpinWait();
        }
        return "busy " + id;
    }

    @PostMapping("/stuck-upload")
    String ignoresItsBody() {
        spin();
        return "too late";
    }
}
