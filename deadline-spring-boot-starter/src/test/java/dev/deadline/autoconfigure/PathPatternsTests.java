package dev.deadline.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.Priority;
import dev.deadline.gateway.Bouncer;
import dev.deadline.gateway.GatewayFilter;
import dev.deadline.gateway.Priorities;
import dev.deadline.gateway.TokenLimitFilter;
import dev.deadline.servlet.DeadlineFilter;
import dev.deadline.servlet.RequestBudgets;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.util.ReflectionTestUtils;

/** Patterns mean what they mean in {@code @RequestMapping}, where the slash in front may be left out. */
class PathPatternsTests {

    private static final String GATEWAY = "deadline.gateway.";

    private static final String LIMITS = GATEWAY + "rate-limit.";

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DeadlineAutoConfiguration.class,
                    DeadlineServletAutoConfiguration.class,
                    DeadlineGatewayAutoConfiguration.class,
                    DeadlineRateLimitAutoConfiguration.class))
            .withPropertyValues("deadline.budget=2s");

    private static Object budget(ApplicationContext context, String path) {
        return ReflectionTestUtils.invokeMethod(context.getBean(RequestBudgets.class), "of", get(path));
    }

    private static Priority priority(ApplicationContext context, String path) {
        return ReflectionTestUtils.invokeMethod(context.getBean(Priorities.class), "of", get(path));
    }

    private static MockHttpServletRequest get(String path) {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", path);
        request.setUserPrincipal(() -> "anna");
        return request;
    }

    @ParameterizedTest
    @ValueSource(strings = {"app/**", "/app/**"})
    void includePaths(String pattern) {
        this.runner.withPropertyValues("deadline.include-paths=" + pattern).run(context -> {
            assertThat(budget(context, "/app/home")).isNotNull();
            assertThat(budget(context, "/other")).isNull();
        });
    }

    @Test
    void excludePaths() {
        this.runner.withPropertyValues("deadline.exclude-paths=app/**").run(context -> {
            assertThat(budget(context, "/app/home")).isNull();
            assertThat(budget(context, "/other")).isNotNull();
        });
    }

    @Test
    void routes() {
        this.runner
                .withPropertyValues("deadline.routes[0].paths=late", "deadline.routes[0].budget=10s")
                .run(context ->
                        assertThat(budget(context, "/late")).isNotNull().isNotEqualTo(budget(context, "/other")));
    }

    @Test
    void priorities() {
        this.runner
                .withPropertyValues(
                        GATEWAY + "priority.critical-paths=pay/{id}", GATEWAY + "priority.sheddable-paths=ads")
                .run(context -> {
                    assertThat(priority(context, "/pay/7")).isEqualTo(Priority.CRITICAL);
                    assertThat(priority(context, "/ads")).isEqualTo(Priority.SHEDDABLE);
                    assertThat(priority(context, "/other")).isEqualTo(Priority.DEFAULT);
                });
    }

    @Test
    void rulesOfLimits() {
        this.runner
                .withPropertyValues(LIMITS + "rules[0].paths=login", LIMITS + "rules[0].limit=1")
                .run(context -> {
                    Bouncer bouncer = context.getBean(Bouncer.class);
                    assertThat(bouncer.check(get("/login"))).isNull();
                    assertThat(bouncer.check(get("/login"))).isNotNull();
                    assertThat(bouncer.check(get("/other"))).isNull();
                    assertThat(bouncer.check(get("/other"))).isNull();
                });
    }

    /** What cannot be decoded falls under the rule for all paths, however that is written. */
    @Test
    void ruleForAllPaths() {
        this.runner
                .withPropertyValues(LIMITS + "rules[0].paths=**", LIMITS + "rules[0].limit=1")
                .run(context -> {
                    Bouncer bouncer = context.getBean(Bouncer.class);
                    assertThat(bouncer.check(get("/%zz"))).isNull();
                    assertThat(bouncer.check(get("/%zz"))).isNotNull();
                });
    }

    @Test
    void exemptPaths() {
        this.runner
                .withPropertyValues(
                        GATEWAY + "exempt-paths=ping",
                        LIMITS + "rules[0].limit=1",
                        LIMITS + "rules[0].period=1h",
                        LIMITS + "rules[1].limit=1",
                        LIMITS + "rules[1].period=1h",
                        LIMITS + "rules[1].key=token")
                .run(context -> {
                    assertThat(asked(context, GatewayFilter.class, "/ping", 2)).isEqualTo(200);
                    assertThat(asked(context, GatewayFilter.class, "/other", 2)).isEqualTo(429);
                    assertThat(asked(context, TokenLimitFilter.class, "/ping", 2))
                            .isEqualTo(200);
                    assertThat(asked(context, TokenLimitFilter.class, "/other", 2))
                            .isEqualTo(429);
                });
    }

    @Test
    void sayThatNothingIsNoPattern() {
        this.runner
                .withPropertyValues("deadline.exclude-paths[0]=")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("deadline.exclude-paths holds an empty pattern"));
    }

    /** The status of the last of several answers. */
    private static int asked(ApplicationContext context, Class<? extends Filter> type, String path, int times)
            throws Exception {
        FilterChain behind = (request, response) -> filter(context, type).doFilter(request, response, (r, s) -> {});
        int status = 0;
        for (int i = 0; i < times; i++) {
            MockHttpServletResponse response = new MockHttpServletResponse();
            filter(context, DeadlineFilter.class).doFilter(get(path), response, behind);
            status = response.getStatus();
        }
        return status;
    }

    private static Filter filter(ApplicationContext context, Class<? extends Filter> type) {
        return context.getBeanProvider(FilterRegistrationBean.class).stream()
                .map(FilterRegistrationBean::getFilter)
                .filter(type::isInstance)
                .findFirst()
                .orElseThrow();
    }
}
