package dev.deadline.autoconfigure;

import dev.deadline.autoconfigure.DeadlineProperties.Route;
import dev.deadline.engine.InvalidSetupException;
import dev.deadline.engine.Nanos;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/** Finds the settings that cannot be meant, before the first request does. */
final class DeadlinePropertiesCheck {

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
        positive("deadline.response.retry-after", properties.response().retryAfter());
        int status = properties.response().status();
        if (status != 503 && status != 504) {
            throw new InvalidSetupException(
                    "deadline.response.status is " + status + ", which does not say that time ran out.",
                    "Set it to 503 or 504.");
        }
        if (!properties.response().header().matches("[A-Za-z0-9!#$%&'*+.^_`|~-]+")) {
            throw new InvalidSetupException(
                    "deadline.response.header is not the name of an HTTP header.",
                    "Use letters, digits and hyphens, as in X-Degraded.");
        }
        if (properties.watchdog().hookThreads() < 1) {
            throw new InvalidSetupException(
                    "deadline.watchdog.hook-threads is " + properties.watchdog().hookThreads()
                            + ", so that nothing could be cancelled.",
                    "Set it to 1 or more.");
        }
    }

    private static void route(String key, Route route, DeadlineProperties properties) {
        if (route.paths().isEmpty()) {
            throw new InvalidSetupException(
                    key + ".paths is empty, so that the route matches nothing.", "Name at least one path pattern.");
        }
        patterns(key + ".paths", route.paths());
        positive(key + ".budget", route.budget());
        notNegative(key + ".reserve", route.reserve());
        Duration budget = (route.budget() != null) ? route.budget() : properties.budget();
        if (budget == null) {
            throw new InvalidSetupException(
                    key + " has no budget, and there is no general one.", "Set " + key + ".budget or deadline.budget.");
        }
        String budgetKey = (route.budget() != null) ? key + ".budget" : "deadline.budget";
        boolean own = route.reserve() != null;
        fits(
                own ? key + ".reserve" : "deadline.reserve",
                own ? route.reserve() : properties.reserve(),
                budgetKey,
                budget);
    }

    private static void positive(String key, @Nullable Duration value) {
        if (value != null && (value.isZero() || value.isNegative())) {
            throw new InvalidSetupException(
                    key + " is " + millis(value) + " ms, which leaves no time at all.",
                    "Set it to more than 0 ms, or remove it.");
        }
    }

    private static void notNegative(String key, @Nullable Duration value) {
        if (value != null && value.isNegative()) {
            throw new InvalidSetupException(
                    key + " is " + millis(value) + " ms, and time cannot be negative.",
                    "Set it to 0 ms or more, or remove it.");
        }
    }

    private static void fits(String partKey, @Nullable Duration part, String wholeKey, @Nullable Duration whole) {
        if (part != null && whole != null && part.compareTo(whole) >= 0) {
            throw new InvalidSetupException(
                    partKey + " (" + millis(part) + " ms) leaves nothing of " + wholeKey + " (" + millis(whole)
                            + " ms).",
                    "Set it to less than the budget.");
        }
    }

    private static long millis(Duration value) {
        return Nanos.of(value) / 1_000_000;
    }

    private static void patterns(String key, Iterable<String> patterns) {
        for (String pattern : patterns) {
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
