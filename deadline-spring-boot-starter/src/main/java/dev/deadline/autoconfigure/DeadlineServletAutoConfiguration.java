package dev.deadline.autoconfigure;

import dev.deadline.engine.Budget;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Nanos;
import dev.deadline.gateway.GatewayFilter;
import dev.deadline.propagation.DeadlineCodec;
import dev.deadline.servlet.BudgetRoute;
import dev.deadline.servlet.CallerDeadlines;
import dev.deadline.servlet.DeadlineFilter;
import dev.deadline.servlet.DefaultExclusions;
import dev.deadline.servlet.ForwardCommitFilter;
import dev.deadline.servlet.PeerAddress;
import dev.deadline.servlet.RequestBudget;
import dev.deadline.servlet.RequestBudgets;
import dev.deadline.servlet.ResponseSettings;
import dev.deadline.servlet.TrustedPeers;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * The filter that gives each request its budget.
 *
 * @since 0.1
 */
@AutoConfiguration(after = DeadlineAutoConfiguration.class)
@ConditionalOnDeadlineEnabled
@ConditionalOnClass(Filter.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
public final class DeadlineServletAutoConfiguration {

    private static final Log logger = LogFactory.getLog(DeadlineServletAutoConfiguration.class);

    private static final String ACTUATOR =
            "org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointProperties";

    @Bean
    @ConditionalOnMissingBean
    RequestBudgets deadlineRequestBudgets(DeadlineProperties properties, Environment environment) {
        DeadlinePropertiesCheck.check(properties);
        Duration reserve = properties.reserve();
        RequestBudgets budgets = new RequestBudgets(
                budget(properties.budget(), reserve),
                properties.includePaths(),
                properties.excludePaths(),
                exclusions(environment),
                properties.routes().stream()
                        .map(route -> new BudgetRoute(
                                route.paths(),
                                route.methods(),
                                budget(
                                        (route.budget() != null) ? route.budget() : properties.budget(),
                                        (route.reserve() != null) ? route.reserve() : reserve)))
                        .toList());
        if (!budgets.isAnyBounded()) {
            logger.info("Requests are not limited in time, and steps only by their own timeouts, as no budget is set. "
                    + "Set deadline.budget to give each request one, as in deadline.budget=2s.");
        }
        return budgets;
    }

    private static RequestBudget budget(@Nullable Duration length, Duration reserve) {
        return new RequestBudget((length != null) ? Nanos.of(length) : Budget.UNBOUNDED, Nanos.of(reserve));
    }

    private static List<String> exclusions(Environment environment) {
        boolean hasActuator = ClassUtils.isPresent(ACTUATOR, DeadlineServletAutoConfiguration.class.getClassLoader());
        List<String> exclusions = DefaultExclusions.of(
                environment.getProperty("spring.mvc.servlet.path", "/"),
                hasActuator ? environment.getProperty("management.endpoints.web.base-path", "/actuator") : "");
        return HealthPaths.with(exclusions, environment);
    }

    @Bean
    @ConditionalOnMissingBean
    PeerAddress deadlinePeerAddress() {
        return PeerAddress.ofConnection();
    }

    @Bean
    @ConditionalOnMissingBean
    CallerDeadlines deadlineCallerDeadlines(
            DeadlineProperties properties,
            ObjectProvider<DeadlineCodec> codecs,
            PeerAddress peers,
            DeadlineEngine engine) {
        DeadlineProperties.Propagation.Inbound inbound =
                properties.propagation().inbound();
        List<DeadlineCodec> read = inbound.enabled() ? codecs.orderedStream().toList() : List.of();
        return new CallerDeadlines(
                read,
                peers,
                new TrustedPeers(inbound.trustedPeers(), "deadline.propagation.inbound.trusted-peers"),
                engine.listeners());
    }

    @Bean
    @ConditionalOnMissingBean(value = DeadlineFilter.class, parameterizedContainer = FilterRegistrationBean.class)
    FilterRegistrationBean<DeadlineFilter> deadlineFilter(
            DeadlineEngine engine,
            RequestBudgets budgets,
            CallerDeadlines callers,
            DeadlineProperties properties,
            Environment environment,
            ObjectProvider<FilterRegistrationBean<GatewayFilter>> gates) {
        DeadlineProperties.Response response = properties.response();
        ResponseSettings settings = new ResponseSettings(
                response.header(),
                response.status(),
                wholeSeconds(response.retryAfter()),
                response.serverTiming(),
                environment.getProperty("spring.mvc.problemdetails.enabled", Boolean.class, false));
        int order = properties.filter().order();
        // Looked up late, as the gate is put behind this filter, wherever that is.
        SingletonSupplier<Boolean> hasGate =
                SingletonSupplier.of(() -> gates.stream().anyMatch(gate -> seesEverythingBehind(gate, order)));
        FilterRegistrationBean<DeadlineFilter> registration = new FilterRegistrationBean<>(new DeadlineFilter(
                engine, budgets, callers, settings, properties.clientAbort().detect(), hasGate::obtain));
        registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR));
        registration.setAsyncSupported(true);
        registration.setOrder(order);
        return registration;
    }

    private static boolean seesEverythingBehind(FilterRegistrationBean<GatewayFilter> gate, int order) {
        return gate.isEnabled()
                && gate.getOrder() >= order
                && gate.getUrlPatterns().isEmpty()
                && gate.getServletNames().isEmpty()
                && gate.getServletRegistrationBeans().isEmpty();
    }

    @Bean
    @ConditionalOnMissingBean(value = ForwardCommitFilter.class, parameterizedContainer = FilterRegistrationBean.class)
    FilterRegistrationBean<ForwardCommitFilter> deadlineForwardCommitFilter(DeadlineProperties properties) {
        FilterRegistrationBean<ForwardCommitFilter> registration =
                new FilterRegistrationBean<>(new ForwardCommitFilter());
        registration.setDispatcherTypes(EnumSet.of(DispatcherType.FORWARD));
        registration.setAsyncSupported(true);
        registration.setOrder(properties.filter().order());
        return registration;
    }

    private static long wholeSeconds(Duration duration) {
        long seconds = duration.getSeconds();
        return (duration.getNano() > 0 && seconds < Long.MAX_VALUE) ? seconds + 1 : Math.max(1, seconds);
    }
}
