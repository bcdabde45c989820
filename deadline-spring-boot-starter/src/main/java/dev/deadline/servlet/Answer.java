package dev.deadline.servlet;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.http.HttpStatus;

/**
 * The refusal of a request for which there was no time: the marks of its steps, when to come back, and the error page
 * or problem details. What the handler had begun is dropped, except for the headers that are not about its content.
 */
final class Answer {

    private static final Set<String> ABOUT_THE_CONTENT = Set.of(
            "accept-ranges",
            "cache-control",
            "content-disposition",
            "content-encoding",
            "content-language",
            "content-length",
            "content-location",
            "content-md5",
            "content-range",
            "content-type",
            "etag",
            "expires",
            "last-modified",
            "location",
            "transfer-encoding");

    private static final String PROBLEM = "application/problem+json";

    private static final String PROBLEM_FORM = "{\"type\":\"about:blank\",\"title\":\"%2$s\",\"status\":%1$d}";

    private static final Map<Integer, byte[]> PROBLEMS = new ConcurrentHashMap<>();

    private final ResponseSettings settings;

    private final ResponseMarks marks;

    private final GateRefusal ordinary;

    Answer(ResponseSettings settings, ResponseMarks marks) {
        this.settings = settings;
        this.marks = marks;
        this.ordinary = new GateRefusal(settings.status(), settings.retryAfterSeconds());
    }

    /** Writes to a response that is not committed; the container sends it when the request is over. */
    void writeTo(ServletRequest request, HttpServletResponse response, RequestDeadline deadline) throws IOException {
        GateRefusal gate = deadline.gateRefusal();
        if (gate != null) {
            writeAtGate(response, deadline, gate, request);
            return;
        }
        writeHead(response, deadline, this.ordinary);
        if (this.settings.problemDetails()) {
            writeProblem(response, this.settings.status());
        } else {
            response.sendError(this.settings.status());
        }
    }

    // No error page, and no new connection for the next try: what is turned away at the gate has to cost nearly
    // nothing.
    private void writeAtGate(
            HttpServletResponse response, RequestDeadline deadline, GateRefusal gate, ServletRequest request)
            throws IOException {
        writeHead(response, deadline, gate);
        int status = NativeExchange.of(request).keepOpenAfter(gate.status());
        writeWhole(response, status, PROBLEM, problem(gate.status()));
        if (status != gate.status()) {
            response.flushBuffer();
        }
    }

    /**
     * Sends the whole answer now, for a request that is not over, and whose connection cannot serve another one before
     * that. There is no error page, as nobody can dispatch to it.
     */
    void writeOut(HttpServletResponse response, RequestDeadline deadline) throws IOException {
        writeHead(response, deadline, this.ordinary);
        announceClose(response);
        if (this.settings.problemDetails()) {
            writeProblem(response, this.settings.status());
        } else {
            int status = this.settings.status();
            writeWhole(response, status, "application/json", body("{\"status\":%d,\"error\":\"%s\"}", status));
        }
        response.getOutputStream().close();
    }

    /** Says that the connection serves no other request. Means nothing in HTTP/2, where every container drops it. */
    static void announceClose(HttpServletResponse response) {
        response.setHeader("Connection", "close");
    }

    private void writeHead(HttpServletResponse response, RequestDeadline deadline, GateRefusal refusal) {
        Map<String, List<String>> kept = new LinkedHashMap<>();
        for (String name : response.getHeaderNames()) {
            if (!ABOUT_THE_CONTENT.contains(name.toLowerCase(Locale.ROOT))) {
                kept.put(name, List.copyOf(response.getHeaders(name)));
            }
        }
        // Resetting is the one way in which every container takes headers back.
        response.reset();
        kept.forEach((name, values) -> {
            response.setHeader(name, values.get(0));
            values.subList(1, values.size()).forEach(value -> response.addHeader(name, value));
        });
        this.marks.degraded(response, deadline.mark(refusal.status()));
        this.marks.refused(response, refusal.retryAfterSeconds());
        this.marks.timed(response, deadline.ledger());
    }

    private static void writeProblem(HttpServletResponse response, int status) throws IOException {
        writeWhole(response, status, PROBLEM, problem(status));
    }

    // Written once for each of the few statuses, for the gate refuses a great many.
    private static byte[] problem(int status) {
        return PROBLEMS.computeIfAbsent(status, each -> body(PROBLEM_FORM, each));
    }

    // No member depends on the request, so there is nothing to escape.
    private static byte[] body(String form, int status) {
        String title = HttpStatus.valueOf(status).getReasonPhrase();
        return String.format(Locale.ROOT, form, status, title).getBytes(StandardCharsets.UTF_8);
    }

    private static void writeWhole(HttpServletResponse response, int status, String type, byte[] body)
            throws IOException {
        response.setStatus(status);
        response.setContentType(type);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
