package dev.deadline.compat.servlet;

import dev.deadline.Deadline;
import dev.deadline.Steps;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Says whose request it sees, and keeps the one thread there is busy in different ways. */
@RestController
class SingleWorkerPages {

    private final Steps.Open waiting;

    SingleWorkerPages(Steps steps) {
        this.waiting = steps.open("single-worker").timeout(Duration.ofMillis(5));
    }

    @PostMapping("/single")
    String single(
            @RequestBody String body,
            @RequestHeader("X-Id") String header,
            @RequestParam String act,
            Deadline deadline,
            HttpServletResponse response)
            throws Exception {
        boolean interrupted = Thread.currentThread().isInterrupted();
        long remaining = deadline.remaining().toMillis();
        response.setHeader("X-Id", header);
        switch (act) {
            case "blocks" -> this.waiting.call(SingleWorkerPages::block, failure -> "default");
            case "spins" -> spin(deadline);
            default -> {}
        }
        return body + "," + header + "," + interrupted + "," + remaining;
    }

    private static String block() throws InterruptedException {
        new CountDownLatch(1).await(20, TimeUnit.SECONDS);
        return "answered";
    }

    // Past the end, and sometimes past the grace.
    private static void spin(Deadline deadline) {
        long end = System.nanoTime() + deadline.remaining().toNanos() + System.nanoTime() % 8_000_000;
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }
}
