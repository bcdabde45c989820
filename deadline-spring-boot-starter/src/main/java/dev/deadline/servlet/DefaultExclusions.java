package dev.deadline.servlet;

import java.util.ArrayList;
import java.util.List;

/** The paths that have no budget unless there is a route for them: static resources and the actuator's. */
public final class DefaultExclusions {

    // Where Spring Boot expects static resources to be.
    private static final List<String> STATIC_RESOURCES =
            List.of("/css/**", "/js/**", "/images/**", "/webjars/**", "/fonts/**", "/favicon.*");

    private DefaultExclusions() {}

    /**
     * The patterns, within the application.
     *
     * @param servletPath where Spring MVC is, such as {@code /} or {@code /mvc}
     * @param actuatorPath where the actuator is below it; empty if there is none, or if it is at its root
     */
    public static List<String> of(String servletPath, String actuatorPath) {
        String prefix = trimmed(servletPath);
        List<String> patterns = new ArrayList<>();
        STATIC_RESOURCES.forEach(pattern -> patterns.add(prefix + pattern));
        String actuator = trimmed(actuatorPath);
        if (!actuator.isEmpty()) {
            patterns.add(prefix + actuator + "/**");
        }
        return patterns;
    }

    private static String trimmed(String path) {
        String inner = path.strip().replaceAll("^/+|/+$", "");
        return inner.isEmpty() ? "" : "/" + inner;
    }
}
