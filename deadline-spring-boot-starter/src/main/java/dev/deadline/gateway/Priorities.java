package dev.deadline.gateway;

import dev.deadline.Priority;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.function.Predicate;

/** Finds out how much a request matters: by what a trusted peer says, or else by its path. Immutable. */
public final class Priorities {

    private final String header;

    private final Predicate<? super HttpServletRequest> trusted;

    private final PlainPaths critical;

    private final PlainPaths sheddable;

    /**
     * @param header in which peers say it
     * @param trusted whether the peer that a request came from is believed
     * @param critical patterns of paths
     * @param sheddable patterns of paths
     */
    public Priorities(
            String header,
            Predicate<? super HttpServletRequest> trusted,
            List<String> critical,
            List<String> sheddable) {
        this.header = header;
        this.trusted = trusted;
        this.critical = new PlainPaths(critical);
        this.sheddable = new PlainPaths(sheddable);
    }

    Priority of(HttpServletRequest request) {
        String said = request.getHeader(this.header);
        if (said != null && this.trusted.test(request)) {
            String code = said.strip();
            for (Priority priority : Priority.values()) {
                if (priority.code().equalsIgnoreCase(code)) {
                    return priority;
                }
            }
        }
        if (this.critical.contain(request)) {
            return Priority.CRITICAL;
        }
        return this.sheddable.contain(request) ? Priority.SHEDDABLE : Priority.DEFAULT;
    }
}
