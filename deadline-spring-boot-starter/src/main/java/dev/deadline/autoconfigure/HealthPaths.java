package dev.deadline.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Where an orchestrator asks whether the application is well, as far as that is on the application's own port. */
final class HealthPaths {

    private static final String SERVER = "server:";

    private static final int DEFAULT_PORT = 8080;

    private HealthPaths() {}

    /** The patterns, within the application. */
    static List<String> of(Environment environment) {
        String base = trimmed(environment.getProperty("management.endpoints.web.base-path", "/actuator"));
        String health = trimmed(environment.getProperty("management.endpoints.web.path-mapping.health", "health"));
        String servlet = trimmed(environment.getProperty("spring.mvc.servlet.path", "/"));
        List<String> paths = new ArrayList<>();
        if (isActuatorHere(environment)) {
            paths.add(servlet + base + health + "/**");
        }
        if (environment.getProperty("management.endpoint.health.probes.add-additional-paths", Boolean.class, false)) {
            paths.add(servlet + "/livez");
            paths.add(servlet + "/readyz");
        }
        groups(environment).values().forEach(group -> {
            if (group.additionalPath() != null && group.additionalPath().startsWith(SERVER)) {
                paths.add(servlet + trimmed(group.additionalPath().substring(SERVER.length())));
            }
        });
        return paths;
    }

    /** Others, and these. */
    static List<String> with(List<String> others, Environment environment) {
        List<String> all = new ArrayList<>(others);
        all.addAll(of(environment));
        return all;
    }

    // As Spring Boot decides whether the actuator gets a server of its own.
    private static boolean isActuatorHere(Environment environment) {
        Integer port = environment.getProperty("management.server.port", Integer.class);
        return port == null
                || (port > 0 && port.equals(environment.getProperty("server.port", Integer.class, DEFAULT_PORT)));
    }

    private static Map<String, HealthGroup> groups(Environment environment) {
        return Binder.get(environment)
                .bind("management.endpoint.health.group", Bindable.mapOf(String.class, HealthGroup.class))
                .orElseGet(Map::of);
    }

    private static String trimmed(String path) {
        String inner = path.strip().replaceAll("^/+|/+$", "");
        return inner.isEmpty() ? "" : "/" + inner;
    }
}
