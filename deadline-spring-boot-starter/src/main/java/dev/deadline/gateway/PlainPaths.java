package dev.deadline.gateway;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.http.server.RequestPath;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * A set of paths within the application that gives a right to those who ask for them. Therefore only a path counts that
 * is written as it is meant: one with encoded characters, matrix parameters, dots or empty parts is in no set, whatever
 * the application would make of it. Immutable.
 */
final class PlainPaths {

    private record Entry(String start, PathPattern pattern) {}

    private final List<Entry> entries;

    /**
     * @throws org.springframework.web.util.pattern.PatternParseException if a pattern cannot be read
     */
    PlainPaths(List<String> patterns) {
        this.entries = patterns.stream()
                .map(pattern -> new Entry(literalStart(pattern), PathPatternParser.defaultInstance.parse(pattern)))
                .toList();
    }

    private static String literalStart(String pattern) {
        int end = 0;
        while (end < pattern.length() && "*?{".indexOf(pattern.charAt(end)) < 0) {
            end++;
        }
        String start = pattern.substring(0, end);
        // The pattern /a/** is also for /a itself.
        return start.endsWith("/") ? start.substring(0, start.length() - 1) : start;
    }

    boolean contain(HttpServletRequest request) {
        if (this.entries.isEmpty()) {
            return false;
        }
        String path = request.getRequestURI();
        String context = request.getContextPath();
        for (Entry entry : this.entries) {
            // Parsing a path takes longer than everything else that is done for most requests.
            if (path.startsWith(entry.start(), context.length())
                    && isPlain(path)
                    && entry.pattern().matches(RequestPath.parse(path, context).pathWithinApplication())) {
                return true;
            }
        }
        return false;
    }

    /** Whether a path is written as it is meant. */
    static boolean isPlain(String path) {
        char before = 0;
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == '%' || c == ';' || c == '\\' || (before == '/' && (c == '/' || c == '.'))) {
                return false;
            }
            before = c;
        }
        return true;
    }
}
