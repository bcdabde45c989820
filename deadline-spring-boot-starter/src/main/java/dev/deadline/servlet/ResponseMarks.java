package dev.deadline.servlet;

import dev.deadline.engine.StepDefinition;
import dev.deadline.engine.StepLedger;
import dev.deadline.engine.StepLedger.Entry;
import dev.deadline.engine.StepLedger.Timing;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Writes into the headers of a response what happened to the steps of its request. Stateless. */
final class ResponseMarks {

    // Containers allow 8 KiB for all headers together. An entry that does not fit is left out whole.
    private static final int MAX_LENGTH = 2048;

    private static final String SERVER_TIMING = "Server-Timing";

    private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final ResponseSettings settings;

    ResponseMarks(ResponseSettings settings) {
        this.settings = settings;
    }

    /** Names the degraded steps, and keeps every cache from keeping this. */
    void degraded(HttpServletResponse response, List<Entry> entries) {
        response.setHeader(this.settings.header(), describe(entries));
        response.setHeader("Cache-Control", "no-store");
    }

    /** Tells a refused client when to come back. */
    void refused(HttpServletResponse response) {
        refused(response, this.settings.retryAfterSeconds());
    }

    /** As {@link #refused(HttpServletResponse)}, after a time of its own. */
    void refused(HttpServletResponse response, long retryAfterSeconds) {
        response.setHeader("Retry-After", Long.toString(retryAfterSeconds));
    }

    /** Tells how long the steps took, if that is wanted. */
    void timed(HttpServletResponse response, StepLedger ledger) {
        if (this.settings.serverTiming()) {
            // What is there already was written before the error page took over, or by the application.
            Set<String> there = Set.copyOf(response.getHeaders(SERVER_TIMING));
            for (Timing timing : ledger.timings()) {
                String described = describe(timing);
                if (!there.contains(described)) {
                    response.addHeader(SERVER_TIMING, described);
                }
            }
        }
    }

    /** Whether a name may go into a header. */
    static boolean isLegal(String step) {
        return StepDefinition.isLegalName(step);
    }

    /** The entries as the header has them: {@code flags=upstream_timeout;250, geo=budget_exhausted;0}. */
    static String describe(List<Entry> entries) {
        StringBuilder text = new StringBuilder();
        for (Entry entry : entries) {
            String described = entry.step() + "=" + entry.reason().code() + ";"
                    + TimeUnit.NANOSECONDS.toMillis(entry.waitedNanos());
            if (text.length() + described.length() + 2 <= MAX_LENGTH) {
                text.append(text.isEmpty() ? "" : ", ").append(described);
            }
        }
        return text.toString();
    }

    private static String describe(Timing timing) {
        String duration = String.format(Locale.ROOT, "%.1f", timing.durationNanos() / NANOS_PER_MILLI);
        String reason = (timing.reason() != null) ? ";desc=\"" + timing.reason().code() + "\"" : "";
        return timing.step() + ";dur=" + duration + reason;
    }
}
