package dev.deadline.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.mock.env.MockEnvironment;

/** C62: where probes ask. */
class HealthPathsTests {

    private static List<String> paths(String... properties) {
        MockEnvironment environment = new MockEnvironment();
        for (int i = 0; i < properties.length; i += 2) {
            environment.setProperty(properties[i], properties[i + 1]);
        }
        return HealthPaths.of(environment);
    }

    @Test
    void findsTheEndpointWhereverItIs() {
        assertThat(paths()).containsExactly("/actuator/health/**");
        assertThat(paths(
                        "spring.mvc.servlet.path", "/mvc",
                        "management.endpoints.web.base-path", "/",
                        "management.endpoints.web.path-mapping.health", "well"))
                .containsExactly("/mvc/well/**");
    }

    @Test
    void knowsAdditionalPathsOfThisServer() {
        assertThat(paths(
                        "management.server.port", "9001",
                        "management.endpoint.health.probes.add-additional-paths", "true",
                        "management.endpoint.health.group.ready.additional-path", "server:/healthz",
                        "management.endpoint.health.group.other.additional-path", "management:/other"))
                .containsExactly("/livez", "/readyz", "/healthz");
    }

    @Test
    void exemptsNothingOfTheApplicationsWhereTheActuatorIsElsewhere() {
        assertThat(paths("management.server.port", "9001", "management.endpoints.web.base-path", "/"))
                .isEmpty();
        assertThat(paths("management.server.port", "-1")).isEmpty();
        assertThat(paths("management.server.port", "0")).isEmpty();
        assertThat(paths("management.server.port", "8080")).containsExactly("/actuator/health/**");
        assertThat(paths("management.server.port", "9001", "server.port", "9001"))
                .containsExactly("/actuator/health/**");
    }
}
