package dev.deadline.compat.servlet;

import dev.deadline.Deadline;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Pages about the budget of the request itself. */
@RestController
class Pages {

    /** Returns when the deadline of the calling thread has passed. */
    static void awaitDeadline() throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        try (Deadline.Registration registration = Deadline.current().onCancel(reason -> over.countDown())) {
            if (!over.await(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("The deadline did not come");
            }
        }
    }

    @GetMapping("/healthy")
    ResponseEntity<String> healthy() {
        return ResponseEntity.ok()
                .cacheControl(CacheControl.maxAge(Duration.ofSeconds(60)))
                .eTag("v1")
                .header("Last-Modified", "Tue, 03 Jun 2008 11:05:30 GMT")
                .header("Expires", "Tue, 03 Jun 2036 11:05:30 GMT")
                .body("fine");
    }

    /** Thread, deadline and interrupt flag as a handler sees them. */
    @RequestMapping("/seen/**")
    Map<String, Object> seen(Deadline own) {
        Deadline current = Deadline.current();
        return Map.of(
                "bounded", current.isBounded(),
                "own", own == current,
                "remaining", current.isBounded() ? current.remaining().toMillis() : -1,
                "spendable", current.allow(Duration.ofDays(1)).toMillis(),
                "virtual", Thread.currentThread().getClass().getSimpleName().equals("VirtualThread"),
                "interrupted", Thread.currentThread().isInterrupted());
    }

    @GetMapping("/late/returns")
    String returnsLate() throws Exception {
        awaitDeadline();
        return "too late";
    }

    @GetMapping("/late/decorated")
    ResponseEntity<String> returnsLateWithHeaders(HttpServletResponse response) throws Exception {
        response.setHeader("X-Custom", "kept");
        response.addCookie(new jakarta.servlet.http.Cookie("seen", "1"));
        response.setContentType("application/pdf");
        response.setHeader("Content-Encoding", "identity");
        response.setHeader("Content-Disposition", "attachment; filename=\"report.pdf\"");
        response.setHeader("ETag", "\"v1\"");
        response.setContentLength(100_000);
        response.getWriter().write("half a rep");
        awaitDeadline();
        return ResponseEntity.ok().body("ort");
    }

    @GetMapping("/late/flushes")
    void flushesLate(HttpServletResponse response) throws Exception {
        awaitDeadline();
        response.getWriter().write("too late");
        response.flushBuffer();
        response.getWriter().close();
    }

    @GetMapping("/late/redirects")
    void redirectsLate(HttpServletResponse response) throws Exception {
        awaitDeadline();
        response.sendRedirect("/healthy");
    }

    @GetMapping("/late/errs")
    void errsLate(HttpServletResponse response) throws Exception {
        awaitDeadline();
        response.sendError(418);
    }

    /** Would never end by itself, was there not an end to what it may write. */
    @GetMapping("/late/floods")
    void floodsLate(HttpServletResponse response) throws Exception {
        awaitDeadline();
        byte[] block = new byte[1000];
        while (true) {
            response.getOutputStream().write(block);
        }
    }

    @GetMapping("/late/throws/{kind}")
    String throwsLate(@PathVariable String kind) throws Exception {
        awaitDeadline();
        if (kind.equals("checkpoint")) {
            Deadline.current().checkpoint();
        }
        throw new IllegalStateException("The connection broke, because somebody closed it");
    }

    /** Neither flushes nor fills the buffer. */
    @GetMapping("/plain")
    void plain(HttpServletResponse response) throws IOException {
        response.setHeader("Cache-Control", "max-age=60");
        response.getWriter().write("plain");
    }

    @GetMapping("/late/forwards")
    void forwardsLate(HttpServletRequest request, HttpServletResponse response) throws Exception {
        awaitDeadline();
        request.getRequestDispatcher("/plain").forward(request, response);
    }

    @GetMapping("/forwards")
    void forwards(HttpServletRequest request, HttpServletResponse response) throws Exception {
        request.getRequestDispatcher("/plain").forward(request, response);
    }

    @GetMapping("/streams")
    void streams(HttpServletResponse response) throws Exception {
        response.setStatus(201);
        response.setHeader("X-Custom", "kept");
        response.getWriter().write("head,");
        response.flushBuffer();
        awaitDeadline();
        response.getWriter().write("tail");
    }

    /** Blocks until somebody interrupts it, and keeps the flag as good code does. */
    @GetMapping("/blocks")
    String blocks() {
        try {
            new CountDownLatch(1).await(20, TimeUnit.SECONDS);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
        return "too late";
    }

    @PostMapping("/reads")
    String reads(HttpServletRequest request) throws IOException {
        return "read " + request.getInputStream().readAllBytes().length;
    }

    @GetMapping("/echo/{id}")
    String echo(@PathVariable String id, @RequestParam boolean late) throws Exception {
        if (late) {
            awaitDeadline();
        }
        return "echo " + id;
    }

    @GetMapping("/breaks")
    String breaks() throws IOException {
        throw new IOException("A bug of the application");
    }
}
