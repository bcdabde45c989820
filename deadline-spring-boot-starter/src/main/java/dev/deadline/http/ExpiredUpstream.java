package dev.deadline.http;

import dev.deadline.Reason;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;

/**
 * Recognises the answer of an upstream that gave up because its own time, which came from its caller, was over.
 *
 * @param header the one in which it names its degraded steps
 */
public record ExpiredUpstream(String header) {

    /** The header's default name. */
    public static final String DEFAULT_HEADER = "X-Degraded";

    private static final String EXHAUSTED = "=" + Reason.BUDGET_EXHAUSTED.code();

    boolean saysSo(HttpStatusCode status, HttpHeaders headers) {
        if (status.value() != 503 && status.value() != 504) {
            return false;
        }
        List<String> lines = headers.getValuesAsList(this.header);
        return lines.stream().anyMatch(entry -> entry.contains(EXHAUSTED));
    }
}
