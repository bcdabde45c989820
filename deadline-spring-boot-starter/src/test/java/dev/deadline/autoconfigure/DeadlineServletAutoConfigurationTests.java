package dev.deadline.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.engine.InvalidSetupException;
import dev.deadline.servlet.CallerDeadlines;
import dev.deadline.servlet.DeadlineExceptionResolver;
import dev.deadline.servlet.DeadlineFilter;
import dev.deadline.servlet.PeerAddress;
import dev.deadline.servlet.RequestBudgets;
import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

class DeadlineServletAutoConfigurationTests {

    private static final AutoConfigurations CONFIGURATIONS = AutoConfigurations.of(
            DeadlineAutoConfiguration.class,
            DeadlineServletAutoConfiguration.class,
            DeadlineWebMvcAutoConfiguration.class);

    private final WebApplicationContextRunner context =
            new WebApplicationContextRunner().withConfiguration(CONFIGURATIONS);

    @Test
    void registersTheFilterBetweenObservationAndSecurity() {
        this.context.run(context -> {
            FilterRegistrationBean<?> registration = context.getBean("deadlineFilter", FilterRegistrationBean.class);
            assertThat(registration.getFilter()).isInstanceOf(DeadlineFilter.class);
            assertThat(registration.getOrder()).isEqualTo(Ordered.HIGHEST_PRECEDENCE + 2);
            assertThat(registration.isAsyncSupported()).isTrue();
            assertThat(registration.determineDispatcherTypes())
                    .isEqualTo(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR));
            assertThat(context).hasSingleBean(DeadlineExceptionResolver.class);
        });
    }

    @Test
    void takesTheOrderThatIsConfigured() {
        this.context
                .withPropertyValues("deadline.filter.order=7")
                .run(context -> assertThat(context.getBean("deadlineFilter", FilterRegistrationBean.class)
                                .getOrder())
                        .isEqualTo(7));
    }

    @Test
    void backsOffForWhatTheApplicationDeclares() {
        this.context.withUserConfiguration(Own.class).run(context -> {
            assertThat(context).doesNotHaveBean("deadlineFilter");
            assertThat(context.getBean(PeerAddress.class).of(null)).isEqualTo("192.0.2.1");
            assertThat(context).hasSingleBean(PeerAddress.class);
        });
    }

    @Test
    void isAbsentWhenSwitchedOff() {
        this.context
                .withPropertyValues("deadline.enabled=false")
                .run(context -> assertThat(context)
                        .doesNotHaveBean(RequestBudgets.class)
                        .doesNotHaveBean(FilterRegistrationBean.class)
                        .doesNotHaveBean(DeadlineExceptionResolver.class));
    }

    @Test
    void isAbsentOutsideAServletApplication() {
        new ApplicationContextRunner()
                .withConfiguration(CONFIGURATIONS)
                .run(context -> assertThat(context).doesNotHaveBean(RequestBudgets.class));
    }

    @Test
    void doesWithoutSpringMvc() {
        this.context
                .withClassLoader(new FilteredClassLoader(WebMvcConfigurer.class))
                .run(context ->
                        assertThat(context).hasBean("deadlineFilter").doesNotHaveBean(DeadlineExceptionResolver.class));
    }

    @Test
    void stopsTheStartUpForAPeerThatIsNone() {
        this.context
                .withPropertyValues("deadline.propagation.inbound.trusted-peers=gateway.example.org")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasRootCauseInstanceOf(InvalidSetupException.class)
                        .rootCause()
                        .hasMessageContaining("'gateway.example.org', which is neither an IP address nor a network"));
    }

    /** C55 */
    @Test
    void roundsRetryAfterUp() {
        assertRetryAfter("1ms", 1);
        assertRetryAfter("1000ms", 1);
        assertRetryAfter("1001ms", 2);
        assertRetryAfter("PT2562047788015215H", 9223372036854774000L);
    }

    private void assertRetryAfter(String configured, long seconds) {
        this.context
                .withPropertyValues("deadline.response.retry-after=" + configured)
                .run(context -> {
                    Object filter = context.getBean("deadlineFilter", FilterRegistrationBean.class)
                            .getFilter();
                    Object marks = ReflectionTestUtils.getField(filter, "marks");
                    assertThat(ReflectionTestUtils.getField(marks, "settings"))
                            .hasFieldOrPropertyWithValue("retryAfterSeconds", seconds);
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class Own {

        @Bean
        PeerAddress own() {
            return request -> "192.0.2.1";
        }

        @Bean
        FilterRegistrationBean<DeadlineFilter> ownRegistration(CallerDeadlines callers) {
            FilterRegistrationBean<DeadlineFilter> registration = new FilterRegistrationBean<>();
            registration.setEnabled(false);
            return registration;
        }
    }
}
