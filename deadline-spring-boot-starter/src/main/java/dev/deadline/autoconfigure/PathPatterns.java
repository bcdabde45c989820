package dev.deadline.autoconfigure;

import java.util.List;
import org.springframework.web.util.pattern.PathPatternParser;

/** Patterns of paths as applications write them, in all settings that have some. */
final class PathPatterns {

    private PathPatterns() {}

    /** The same patterns with the slash in front that may be left out, as in {@code @RequestMapping}. */
    static List<String> complete(List<String> written) {
        return written.stream()
                .map(PathPatternParser.defaultInstance::initFullPathPattern)
                .toList();
    }
}
