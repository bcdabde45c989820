package dev.deadline.servlet;

import jakarta.servlet.http.HttpServletResponse;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Those headers of a response that say whether it may be kept and reused. They are written at the last moment or not
 * at all, because a container gives no way of taking one back. Not thread-safe.
 */
final class HeldBackHeaders {

    private static final DateTimeFormatter HTTP_DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);

    private final Map<String, List<String>> values = new LinkedHashMap<>();

    /** The one spelling of a header that is held back; null for any other header. */
    static @Nullable String nameOf(String header) {
        return switch (header.length()) {
            case 4 -> spelling(header, "ETag");
            case 7 -> spelling(header, "Expires");
            case 13 -> header.equalsIgnoreCase("Cache-Control") ? "Cache-Control" : spelling(header, "Last-Modified");
            default -> null;
        };
    }

    private static @Nullable String spelling(String header, String name) {
        return header.equalsIgnoreCase(name) ? name : null;
    }

    static String date(long epochMillis) {
        return HTTP_DATE.format(Instant.ofEpochMilli(epochMillis));
    }

    /** Replaces the values of a header; null takes it back. */
    void set(String name, @Nullable String value) {
        this.values.remove(name);
        add(name, value);
    }

    void add(String name, @Nullable String value) {
        if (value != null) {
            this.values.computeIfAbsent(name, unused -> new ArrayList<>(1)).add(value);
        }
    }

    /** The values of a header; empty if it was not set. */
    List<String> get(String name) {
        return this.values.getOrDefault(name, List.of());
    }

    Set<String> names() {
        return this.values.keySet();
    }

    void clear() {
        this.values.clear();
    }

    /** Writes them, and holds nothing back any more. */
    void release(HttpServletResponse response) {
        this.values.forEach((name, values) -> {
            response.setHeader(name, values.get(0));
            values.subList(1, values.size()).forEach(value -> response.addHeader(name, value));
        });
        clear();
    }
}
