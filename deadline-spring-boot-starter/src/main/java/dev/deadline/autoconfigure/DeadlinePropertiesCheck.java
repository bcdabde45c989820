package dev.deadline.autoconfigure;

import dev.deadline.autoconfigure.DeadlineProperties.Route;
import dev.deadline.engine.InvalidSetupException;
import dev.deadline.engine.Nanos;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/** Finds the settings that cannot be meant, before the first request does. */
final class DeadlinePropertiesCheck {

    private static final Set<String> METHODS =
            new TreeSet<>(Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"));

    private static final Pattern HOST =
            Pattern.compile("(\\*\\.)?[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*\\.?|\\[?[0-9A-Fa-f:]+]?");

    private DeadlinePropertiesCheck() {}

    /**
     * @throws InvalidSetupException naming the first wrong key
     */
    static void check(DeadlineProperties properties) {
        positive("deadline.budget", properties.budget());
        notNegative("deadline.reserve", properties.reserve());
        notNegative("deadline.answer-margin", properties.answerMargin());
        fits("deadline.reserve", properties.reserve(), "deadline.budget", properties.budget());
        fits("deadline.answer-margin", properties.answerMargin(), "deadline.budget", properties.budget());
        patterns("deadline.include-paths", properties.includePaths());
        patterns("deadline.exclude-paths", properties.excludePaths());
        for (int i = 0; i < properties.routes().size(); i++) {
            route("deadline.routes[" + i + "]", properties.routes().get(i), properties);
        }
        properties.steps().forEach((name, step) -> {
            String key = "deadline.steps." + name;
            positive(key + ".timeout", step.timeout());
            notNegative(key + ".reserve", step.reserve());
            positive(key + ".minimum", step.minimum());
        });
        properties.propagation().outbound().hosts().forEach(DeadlinePropertiesCheck::host);
        positive("deadline.response.retry-after", properties.response().retryAfter());
        int status = properties.response().status();
        if (status != 503 && status != 504) {
            throw new InvalidSetupException(
                    "deadline.response.status is " + status + ", which does not say that time ran out.",
                    "Set it to 503 or 504.");
        }
        header("deadline.response.header", properties.response().header(), "X-Degraded");
        gateway(properties.gateway());
        positive("deadline.watchdog.grace", properties.watchdog().grace());
        if (properties.watchdog().hookThreads() < 1) {
            throw new InvalidSetupException(
                    "deadline.watchdog.hook-threads is " + properties.watchdog().hookThreads()
                            + ", so that nothing could be cancelled.",
                    "Set it to 1 or more.");
        }
    }

    private static void gateway(DeadlineProperties.Gateway gateway) {
        patterns("deadline.gateway.exempt-paths", gateway.exemptPaths());
        positive("deadline.gateway.shedding.objective", gateway.shedding().objective());
        patterns("deadline.gateway.priority.critical-paths", gateway.priority().criticalPaths());
        patterns("deadline.gateway.priority.sheddable-paths", gateway.priority().sheddablePaths());
        header("deadline.gateway.priority.header", gateway.priority().header(), "X-Request-Priority");
    }

    private static void header(String key, String name, String example) {
        if (!name.matches("[A-Za-z0-9!#$%&'*+.^_`|~-]+")) {
            throw new InvalidSetupException(
                    key + " is '" + name + "', which is not the name of an HTTP header.",
                    "Use letters, digits and hyphens, as in " + example + ".");
        }
    }

    private static void route(String key, Route route, DeadlineProperties properties) {
        if (route.paths().isEmpty()) {
            throw new InvalidSetupException(
                    key + ".paths is empty, so that the route matches nothing.", "Name at least one path pattern.");
        }
        patterns(key + ".paths", route.paths());
        route.methods().forEach(method -> method(key + ".methods", method));
        positive(key + ".budget", route.budget());
        notNegative(key + ".reserve", route.reserve());
        Duration budget = (route.budget() != null) ? route.budget() : properties.budget();
        if (budget == null) {
            throw new InvalidSetupException(
                    key + " has no budget, and there is no general one.", "Set " + key + ".budget or deadline.budget.");
        }
        String budgetKey = (route.budget() != null) ? key + ".budget" : "deadline.budget";
        fits("deadline.answer-margin", properties.answerMargin(), budgetKey, budget);
        boolean own = route.reserve() != null;
        fits(
                own ? key + ".reserve" : "deadline.reserve",
                own ? route.reserve() : properties.reserve(),
                budgetKey,
                budget);
    }

    private static void method(String key, String method) {
        if (!METHODS.contains(method.toUpperCase(Locale.ROOT))) {
            throw new InvalidSetupException(
                    key + " holds '" + method + "', which is not a method of HTTP.", "Use " + METHODS + ".");
        }
    }

    private static void host(String host) {
        if (!HOST.matcher(host).matches()) {
            throw new InvalidSetupException(
                    "deadline.propagation.outbound.hosts holds '" + host + "', which is not the name of a host.",
                    "Write it without scheme, port and path, as in api.example.org or *.example.org.");
        }
    }

    private static void positive(String key, @Nullable Duration value) {
        if (value != null && (value.isZero() || value.isNegative())) {
            throw new InvalidSetupException(
                    key + " is " + written(value) + ", which leaves no time at all.",
                    "Set it to more than 0 ms, or remove it.");
        }
    }

    private static void notNegative(String key, @Nullable Duration value) {
        if (value != null && value.isNegative()) {
            throw new InvalidSetupException(
                    key + " is " + written(value) + ", and time cannot be negative.",
                    "Set it to 0 ms or more, or remove it.");
        }
    }

    private static void fits(String partKey, @Nullable Duration part, String wholeKey, @Nullable Duration whole) {
        if (part != null && whole != null && part.compareTo(whole) >= 0) {
            throw new InvalidSetupException(
                    partKey + " (" + written(part) + ") leaves nothing of " + wholeKey + " (" + written(whole) + ").",
                    "Set it to less than " + wholeKey + ".");
        }
    }

    private static String written(Duration value) {
        long nanos = Nanos.of(value);
        return (nanos % 1_000_000 == 0) ? nanos / 1_000_000 + " ms" : nanos + " ns";
    }

    /** Throws for the first that cannot be read. */
    static void patterns(String key, Iterable<String> patterns) {
        for (String pattern : patterns) {
            if (pattern.isEmpty()) {
                throw new InvalidSetupException(
                        key + " holds an empty pattern, which matches nothing.",
                        "Write / for the root of the application, or /** for all paths.");
            }
            try {
                PathPatternParser.defaultInstance.parse(pattern);
            } catch (PatternParseException ex) {
                throw new InvalidSetupException(
                        key + " holds the pattern '" + pattern + "', which cannot be read: " + ex.getMessage() + ".",
                        "Write it as in @RequestMapping, such as /app/**.");
            }
        }
    }
}
