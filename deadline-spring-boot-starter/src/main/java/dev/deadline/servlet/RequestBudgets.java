package dev.deadline.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Decides which budget a request gets, by its path within the application and its method. What the application
 * excludes has none, whatever else is said; then the most specific route counts; then what is excluded by default;
 * then the general budget, for the paths it is meant for. Immutable.
 */
public final class RequestBudgets {

    private final RequestBudget general;

    private final List<PathPattern> included;

    private final List<PathPattern> excluded;

    private final List<PathPattern> excludedByDefault;

    private final List<Route> routes;

    /**
     * @param general for requests without a route; its length may be unbounded
     * @param excludedByDefault paths without a budget unless there is a route for them
     * @throws org.springframework.web.util.pattern.PatternParseException if a pattern cannot be read
     */
    public RequestBudgets(
            RequestBudget general,
            List<String> included,
            List<String> excluded,
            List<String> excludedByDefault,
            List<BudgetRoute> routes) {
        this.general = general;
        this.included = parse(included);
        this.excluded = parse(excluded);
        this.excludedByDefault = parse(excludedByDefault);
        List<Route> flat = new ArrayList<>();
        for (BudgetRoute route : routes) {
            Set<String> methods = route.methods().stream()
                    .map(method -> method.toUpperCase(Locale.ROOT))
                    .collect(Collectors.toUnmodifiableSet());
            parse(route.paths()).forEach(path -> flat.add(new Route(path, methods, route.budget())));
        }
        flat.sort(Route::compareTo);
        this.routes = List.copyOf(flat);
    }

    private static List<PathPattern> parse(List<String> patterns) {
        return patterns.stream().map(PathPatternParser.defaultInstance::parse).toList();
    }

    /** Whether any request at all gets a limited time. */
    public boolean isAnyBounded() {
        return this.general.isBounded()
                || this.routes.stream().anyMatch(route -> route.budget().isBounded());
    }

    /** The budget of a request; null if its path has none. Never fails, whatever the path looks like. */
    @Nullable
    RequestBudget of(HttpServletRequest request) {
        if ("websocket".equalsIgnoreCase(request.getHeader("Upgrade"))) {
            return null;
        }
        PathContainer path = pathOf(request);
        if (path == null) {
            return this.general;
        }
        if (matches(this.excluded, path)) {
            return null;
        }
        for (Route route : this.routes) {
            if (route.matches(path, request.getMethod())) {
                return route.budget();
            }
        }
        boolean meant = !matches(this.excludedByDefault, path) && matches(this.included, path);
        return meant ? this.general : null;
    }

    private static @Nullable PathContainer pathOf(HttpServletRequest request) {
        try {
            return RequestPath.parse(request.getRequestURI(), request.getContextPath())
                    .pathWithinApplication();
        } catch (IllegalArgumentException ex) {
            // Not decodable. No pattern can match it, but it may take no longer than any other request.
            return null;
        }
    }

    private static boolean matches(List<PathPattern> patterns, PathContainer path) {
        for (PathPattern pattern : patterns) {
            if (pattern.matches(path)) {
                return true;
            }
        }
        return false;
    }

    private record Route(PathPattern path, Set<String> methods, RequestBudget budget) implements Comparable<Route> {

        boolean matches(PathContainer requested, String method) {
            boolean meant = this.methods.isEmpty()
                    || this.methods.contains(method)
                    || ("HEAD".equals(method) && this.methods.contains("GET"));
            return meant && this.path.matches(requested);
        }

        // The most specific first; of two for the same path, the one that names methods.
        @Override
        public int compareTo(Route other) {
            int order = PathPattern.SPECIFICITY_COMPARATOR.compare(this.path, other.path);
            return (order != 0) ? order : Boolean.compare(this.methods.isEmpty(), other.methods.isEmpty());
        }
    }
}
