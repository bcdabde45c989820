package dev.deadline.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.deadline.DeadlineListener;
import dev.deadline.engine.Mode;
import dev.deadline.engine.MonotonicClock;
import dev.deadline.gateway.ClientLimit;
import dev.deadline.gateway.CorsHeaders;
import dev.deadline.gateway.GateAnswer;
import dev.deadline.gateway.GatewayFilter;
import dev.deadline.gateway.Priorities;
import dev.deadline.gateway.Shedder;
import dev.deadline.servlet.DeadlineFilter;
import dev.deadline.servlet.RequestBudgets;
import jakarta.servlet.FilterChain;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsConfigurationSource;

/** The gate together with what an application may put in the place of its parts. */
class GateSetupTests {

    private final List<DeadlineListener.RequestEvent> finished = new ArrayList<>();

    // Whoever asks for /late is too late before anything is done.
    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DeadlineAutoConfiguration.class,
                    DeadlineServletAutoConfiguration.class,
                    DeadlineGatewayAutoConfiguration.class))
            .withBean(DeadlineListener.class, () -> new DeadlineListener() {

                @Override
                public void requestFinished(RequestEvent event) {
                    GateSetupTests.this.finished.add(event);
                }
            })
            .withPropertyValues(
                    "deadline.answer-margin=0ms",
                    "deadline.budget=2s",
                    "deadline.routes[0].paths=/late",
                    "deadline.routes[0].budget=1ns");

    private static MockHttpServletResponse ask(ApplicationContext context, String path, FilterChain chain)
            throws Exception {
        MockHttpServletResponse response = new MockHttpServletResponse();
        context.getBean("deadlineFilter", FilterRegistrationBean.class)
                .getFilter()
                .doFilter(new MockHttpServletRequest("GET", path), response, chain);
        return response;
    }

    /** C70: a flood of refusals is no time to look through all beans. */
    @Test
    void looksForWhatSetsTheCorsHeadersOnceAndNotBeforeItIsNeeded() {
        AtomicInteger made = new AtomicInteger();
        CorsConfiguration cors = new CorsConfiguration();
        cors.addAllowedOrigin("https://shop.example");
        this.runner
                .withBean(
                        CorsConfigurationSource.class,
                        () -> {
                            made.incrementAndGet();
                            return request -> cors;
                        },
                        definition -> definition.setScope(BeanDefinition.SCOPE_PROTOTYPE))
                .run(context -> {
                    CorsHeaders headers = context.getBean(CorsHeaders.class);
                    assertThat(made).hasValue(0);
                    assertThat(allowedOrigin(headers)).isEqualTo("https://shop.example");
                    int madeForTheFirst = made.get();
                    assertThat(allowedOrigin(headers)).isEqualTo("https://shop.example");
                    assertThat(made).hasValue(madeForTheFirst).hasPositiveValue();
                });
    }

    private static @Nullable String allowedOrigin(CorsHeaders headers) throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/late");
        request.addHeader("Origin", "https://shop.example");
        MockHttpServletResponse response = new MockHttpServletResponse();
        headers.addTo(request, response);
        return response.getHeader("Access-Control-Allow-Origin");
    }

    private static void mustNotRun() {
        throw new AssertionError("The application was asked for an answer that is too late");
    }

    @Test
    void reportsTheEndOfALateRequestIfAFilterBeforeTheGateFails() {
        this.runner.run(context -> {
            assertThatThrownBy(() -> ask(context, "/late", (request, response) -> {
                        throw new IllegalStateException("filter");
                    }))
                    .hasMessage("filter");

            assertThat(this.finished).hasSize(1);
        });
    }

    @Test
    void doesNotRunTheApplicationForALateRequestIfThereIsNoGateBehind() {
        this.runner.withUserConfiguration(DisabledGate.class).run(context -> {
            MockHttpServletResponse response = ask(context, "/late", (request, answer) -> mustNotRun());

            assertThat(response.getStatus()).isEqualTo(503);
            assertThat(this.finished).hasSize(1);
        });
    }

    @Test
    void doesNotRunTheApplicationForALateRequestWithoutAGate() {
        this.runner.withPropertyValues("deadline.gateway.enabled=false").run(context -> {
            MockHttpServletResponse response = ask(context, "/late", (request, answer) -> mustNotRun());

            assertThat(response.getStatus()).isEqualTo(503);
            assertThat(response.getHeader("X-Degraded")).isEqualTo("request=budget_exhausted;0");
            assertThat(this.finished).hasSize(1);
        });
    }

    @Test
    void putsTheGateBehindTheFilterWhereverThatIs() {
        this.runner
                .withPropertyValues("deadline.filter.order=2147483647")
                .run(context -> assertThat(gate(context).getOrder()).isEqualTo(Integer.MAX_VALUE));
        this.runner
                .withUserConfiguration(OwnFilter.class)
                .run(context -> assertThat(gate(context).getOrder()).isEqualTo(18));
    }

    private static FilterRegistrationBean<?> gate(ApplicationContext context) {
        return context.getBean("deadlineGatewayFilter", FilterRegistrationBean.class);
    }

    /** C62: who waits as long as all others is told that the application lives, and not that it is late. */
    @Test
    void givesProbesNoBudget() {
        this.runner
                .withPropertyValues(
                        "spring.mvc.servlet.path=/mvc",
                        "management.endpoint.health.probes.add-additional-paths=true",
                        "management.endpoint.health.group.ready.additional-path=server:/healthz")
                .run(context -> {
                    assertThat(budget(context, "/mvc/actuator/health/liveness")).isNull();
                    assertThat(budget(context, "/mvc/livez")).isNull();
                    assertThat(budget(context, "/mvc/readyz")).isNull();
                    assertThat(budget(context, "/mvc/healthz")).isNull();
                    assertThat(budget(context, "/mvc/healthzone")).isNotNull();
                });
    }

    private static Object budget(ApplicationContext context, String path) {
        return ReflectionTestUtils.invokeMethod(
                context.getBean(RequestBudgets.class), "of", new MockHttpServletRequest("GET", path));
    }

    /** What is written down somewhere of the settings does not contain it. */
    @Test
    void keepsTheSecretOfTokensToItself() {
        this.runner
                .withPropertyValues("deadline.gateway.rate-limit.redis.token-secret=a-secret-of-some-length")
                .run(context -> assertThat(
                                context.getBean(DeadlineProperties.class).toString())
                        .contains("keyPrefix")
                        .doesNotContain("a-secret"));
    }

    @Configuration(proxyBeanMethods = false)
    static class DisabledGate {

        @Bean
        FilterRegistrationBean<GatewayFilter> ownGate(Shedder shedder, GateAnswer answers, Priorities priorities) {
            FilterRegistrationBean<GatewayFilter> registration = new FilterRegistrationBean<>(new GatewayFilter(
                    MonotonicClock.SYSTEM,
                    shedder,
                    Mode.OFF,
                    ClientLimit.NONE,
                    Mode.OFF,
                    answers,
                    priorities,
                    List.of()));
            registration.setEnabled(false);
            return registration;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnFilter {

        @Bean
        FilterRegistrationBean<DeadlineFilter> ownFilter() {
            FilterRegistrationBean<DeadlineFilter> registration = new FilterRegistrationBean<>();
            registration.setOrder(17);
            return registration;
        }
    }
}
