package dev.deadline.gateway;

import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * The rules of one kind of key. The one with the most specific pattern counts, of equals the first. What cannot be decoded
 * falls under the rule for all paths. Immutable.
 */
final class LimitRules {

    private static final String ALL = "/**";

    private final List<Entry> entries;

    private final @Nullable LimitRule general;

    /**
     * @throws org.springframework.web.util.pattern.PatternParseException if a pattern cannot be read
     */
    LimitRules(List<LimitRule> rules, LimitKey key) {
        List<Entry> special = new ArrayList<>();
        LimitRule forAll = null;
        for (LimitRule rule : rules) {
            if (rule.key() != key) {
                continue;
            }
            for (String path : rule.paths()) {
                if (!path.equals(ALL)) {
                    special.add(new Entry(PathPatternParser.defaultInstance.parse(path), rule));
                } else if (forAll == null) {
                    forAll = rule;
                }
            }
        }
        special.sort((one, other) -> PathPattern.SPECIFICITY_COMPARATOR.compare(one.pattern(), other.pattern()));
        this.entries = List.copyOf(special);
        this.general = forAll;
    }

    /** The rule for a request; null if there is none for its path. */
    @Nullable
    LimitRule of(HttpServletRequest request) {
        if (this.entries.isEmpty()) {
            return this.general;
        }
        PathContainer path = RequestPaths.of(request);
        if (path != null) {
            for (Entry entry : this.entries) {
                if (entry.pattern().matches(path)) {
                    return entry.rule();
                }
            }
        }
        return this.general;
    }

    private record Entry(PathPattern pattern, LimitRule rule) {}
}
