package dev.deadline.compat.servlet;

import dev.deadline.Deadline;
import dev.deadline.DeadlineExceededException;
import dev.deadline.Steps;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Pages whose answers take longer than the budget, or would. */
@RestController
class StreamPages {

    private static final byte[] ROW = "row\n".getBytes(StandardCharsets.US_ASCII);

    // More than any socket buffers.
    private static final byte[] LARGE = new byte[32_000_000];

    private final Steps.Closed gate;

    StreamPages(Steps steps) {
        this.gate = steps.closed("stream-gate").timeout(Duration.ofMillis(40));
    }

    /** Returns it, so that it is written in the asynchronous dispatch. */
    @GetMapping("/stream/large")
    Callable<byte[]> large() {
        return () -> LARGE;
    }

    @GetMapping("/stream/rows")
    void rows(HttpServletResponse response) throws Exception {
        write(response.getOutputStream());
    }

    @GetMapping("/stream/rows-with-a-length")
    void rowsWithALength(HttpServletResponse response) throws Exception {
        response.setContentLength(1_000_000);
        write(response.getOutputStream());
    }

    @GetMapping("/stream/rows-wrapping-the-failure")
    void rowsWrappingTheFailure(HttpServletResponse response) throws Exception {
        try {
            write(response.getOutputStream());
        } catch (DeadlineExceededException ex) {
            throw new IllegalStateException("No more rows", ex);
        }
    }

    @GetMapping("/stream/rows-behind-a-gate")
    void rowsBehindAGate(HttpServletResponse response) throws Exception {
        response.getOutputStream().write(ROW);
        response.flushBuffer();
        this.gate.call(() -> new CountDownLatch(1).await(20, TimeUnit.SECONDS));
    }

    @GetMapping("/stream/rows-elsewhere")
    StreamingResponseBody rowsElsewhere() {
        return StreamPages::write;
    }

    // As a cursor does that is refused at the budget.
    private static void write(OutputStream out) throws IOException {
        while (true) {
            Deadline.current().checkpoint();
            out.write(ROW);
            out.flush();
        }
    }
}
