package dev.deadline.compat.servlet;

import dev.deadline.Deadline;
import dev.deadline.StepFailedException;
import dev.deadline.Steps;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** An error page, for those who ask for it, that tells which deadline it has, and whether it may block. */
@RestController
class ErrorPages {

    private final Steps.Closed step;

    ErrorPages(Steps steps) {
        this.step = steps.closed("error-page");
    }

    @RequestMapping(path = "/error", headers = "X-Error-Page")
    ResponseEntity<Map<String, Object>> failure(HttpServletRequest request) throws InterruptedException {
        Map<String, Object> seen = new LinkedHashMap<>();
        Deadline current = Deadline.current();
        seen.put("bounded", current.isBounded());
        seen.put("expired", current.isExpired());
        seen.put("remaining", current.remaining().toMillis());
        seen.put("interrupted", Thread.currentThread().isInterrupted());
        // Several rounds of the watchdog, which repeats its interrupts every 20 ms.
        new CountDownLatch(1).await(100, TimeUnit.MILLISECONDS);
        seen.put("blocked", true);
        try {
            seen.put("called", this.step.call(() -> true));
        } catch (StepFailedException ex) {
            seen.put("called", false);
        }
        int status = (Integer) request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        return ResponseEntity.status(status)
                .header("Cache-Control", "max-age=60")
                .body(seen);
    }
}
