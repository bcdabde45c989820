package dev.deadline.autoconfigure;

import dev.deadline.engine.Budget;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Mode;
import dev.deadline.engine.Nanos;
import dev.deadline.gateway.ApplicationCors;
import dev.deadline.gateway.ArrivalQueue;
import dev.deadline.gateway.ClientLimit;
import dev.deadline.gateway.CorsHeaders;
import dev.deadline.gateway.GateAnswer;
import dev.deadline.gateway.GatewayFilter;
import dev.deadline.gateway.Priorities;
import dev.deadline.gateway.Shedder;
import dev.deadline.servlet.DeadlineFilter;
import dev.deadline.servlet.PeerAddress;
import dev.deadline.servlet.RequestBudgets;
import dev.deadline.servlet.TrustedPeers;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.filter.CorsFilter;

/**
 * The gate in front of everything else.
 *
 * @since 0.1
 */
@AutoConfiguration(after = {DeadlineServletAutoConfiguration.class, DeadlineTomcatAutoConfiguration.class})
@ConditionalOnDeadlineEnabled
@ConditionalOnClass(Filter.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty(name = "deadline.gateway.enabled", matchIfMissing = true)
public final class DeadlineGatewayAutoConfiguration {

    private static final Log logger = LogFactory.getLog(DeadlineGatewayAutoConfiguration.class);

    @Bean
    @ConditionalOnMissingBean
    ArrivalQueue deadlineArrivalQueue() {
        return () -> ArrivalQueue.UNKNOWN;
    }

    @Bean
    SheddingReport deadlineSheddingReport(ArrivalQueue queue, DeadlineProperties properties) {
        return new SheddingReport(queue, properties.gateway().shedding().mode());
    }

    @Bean
    @ConditionalOnMissingBean
    Shedder deadlineShedder(DeadlineProperties properties, ArrivalQueue queue, RequestBudgets budgets) {
        Duration objective = properties.gateway().shedding().objective();
        Mode mode = properties.gateway().shedding().mode();
        if (mode == Mode.ENFORCE && objective == null && !budgets.isAnyBounded()) {
            logger.warn("deadline.gateway.shedding.mode is enforce, but nothing says in which time requests are to be "
                    + "answered, so none is shed. Set deadline.budget, or deadline.gateway.shedding.objective.");
        }
        return new Shedder(queue, (objective != null) ? Nanos.of(objective) : Budget.UNBOUNDED);
    }

    @Bean
    @ConditionalOnMissingBean
    Priorities deadlinePriorities(DeadlineProperties properties, PeerAddress peers) {
        DeadlineProperties.Gateway.PriorityRules rules = properties.gateway().priority();
        TrustedPeers trusted = new TrustedPeers(rules.trustedPeers(), "deadline.gateway.priority.trusted-peers");
        return new Priorities(
                rules.header(),
                request -> trusted.contains(peers.of(request)),
                rules.criticalPaths(),
                rules.sheddablePaths());
    }

    @Bean
    @ConditionalOnMissingBean
    CorsHeaders deadlineCorsHeaders(
            ObjectProvider<CorsFilter> filters,
            ObjectProvider<FilterRegistrationBean<?>> registrations,
            ObjectProvider<SecurityFilters> security,
            ObjectProvider<CorsConfigurationSource> sources) {
        Supplier<List<Filter>> own = once(() -> Stream.concat(
                filters.orderedStream(), registrations.orderedStream().map(FilterRegistrationBean::getFilter)));
        Supplier<List<SecurityFilters>> secured = once(security::stream);
        Supplier<List<CorsConfigurationSource>> configurations = once(sources::orderedStream);
        return new ApplicationCors(
                request ->
                        Stream.concat(own.get().stream(), secured.get().stream().flatMap(each -> each.of(request))),
                request -> configurations.get().stream());
    }

    // When the first refusal needs it, and not for each of a flood of them.
    private static <T> Supplier<List<T>> once(Supplier<Stream<T>> search) {
        return SingletonSupplier.of(() -> search.get().toList())::obtain;
    }

    @Bean
    @ConditionalOnMissingBean
    GateAnswer deadlineGateAnswer(DeadlineEngine engine, CorsHeaders cors) {
        return new GateAnswer(engine.listeners(), cors);
    }

    @Bean
    @ConditionalOnMissingBean(value = GatewayFilter.class, parameterizedContainer = FilterRegistrationBean.class)
    FilterRegistrationBean<GatewayFilter> deadlineGatewayFilter(
            DeadlineEngine engine,
            Shedder shedder,
            ObjectProvider<ClientLimit> limit,
            GateAnswer answers,
            Priorities priorities,
            DeadlineProperties properties,
            Environment environment,
            ObjectProvider<FilterRegistrationBean<DeadlineFilter>> budgetFilter) {
        DeadlineProperties.Gateway gateway = properties.gateway();
        FilterRegistrationBean<GatewayFilter> registration = new FilterRegistrationBean<>(new GatewayFilter(
                engine.clock(),
                shedder,
                gateway.shedding().mode(),
                limit.getIfAvailable(() -> ClientLimit.NONE),
                gateway.rateLimit().mode(),
                answers,
                priorities,
                HealthPaths.with(gateway.exemptPaths(), environment)));
        registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST));
        registration.setAsyncSupported(true);
        FilterRegistrationBean<DeadlineFilter> before = budgetFilter.getIfUnique();
        int order = (before != null) ? before.getOrder() : properties.filter().order();
        registration.setOrder(Math.max(order, order + 1));
        return registration;
    }

    /** Finds the filters of Spring Security that a request goes through. */
    interface SecurityFilters {

        Stream<Filter> of(HttpServletRequest request);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(SecurityFilterChain.class)
    static class Security {

        @Bean
        SecurityFilters deadlineSecurityFilters(ObjectProvider<SecurityFilterChain> chains) {
            Supplier<List<SecurityFilterChain>> all = once(chains::orderedStream);
            return request -> all.get().stream()
                    .filter(chain -> chain.matches(request))
                    .findFirst()
                    .map(chain -> chain.getFilters().stream())
                    .orElseGet(Stream::empty);
        }
    }
}
