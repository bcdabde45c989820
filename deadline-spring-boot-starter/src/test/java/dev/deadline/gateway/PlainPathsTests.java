package dev.deadline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;

/** C62: an exemption is for the path as it is written, by whole segments. */
class PlainPathsTests {

    private final PlainPaths paths = new PlainPaths(List.of("/actuator/health/**", "/ping", "/jobs/{id}/beat"));

    private boolean contain(String context, String uri) {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", uri);
        request.setContextPath(context);
        return this.paths.contain(request);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/actuator/health", "/actuator/health/liveness", "/actuator/health/a/b", "/ping", "/jobs/7/beat"
            })
    void containWhatIsMeant(String path) {
        assertThat(contain("", path)).isTrue();
        assertThat(contain("/app", "/app" + path)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/actuator/healthy",
                "/actuator/health-report/big",
                "/actuator/health;x=1",
                "/actuator/health/;a/../../orders",
                "/actuator/%68ealth",
                "/actuator/health/%2e%2e/%2e%2e/orders",
                "/actuator/health/../../orders",
                "/actuator/health/./x",
                "/actuator/health//x",
                "//actuator/health",
                "/actuator/health\\x",
                "/Actuator/Health",
                "/ping/pong",
                "/pingpong",
                "/jobs/7/beats",
                "/app/ping",
                "/orders"
            })
    void containNothingThatOnlyLooksAlike(String path) {
        assertThat(contain("", path)).isFalse();
    }
}
