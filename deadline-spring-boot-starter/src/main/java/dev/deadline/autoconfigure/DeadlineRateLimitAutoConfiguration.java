package dev.deadline.autoconfigure;

import com.github.benmanes.caffeine.cache.Caffeine;
import dev.deadline.autoconfigure.DeadlineProperties.Gateway.RateLimit;
import dev.deadline.autoconfigure.DeadlineProperties.Gateway.RateLimit.Store;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Nanos;
import dev.deadline.gateway.AcceptedToken;
import dev.deadline.gateway.BanTerms;
import dev.deadline.gateway.Bouncer;
import dev.deadline.gateway.ClientAddresses;
import dev.deadline.gateway.ClientLimit;
import dev.deadline.gateway.GateAnswer;
import dev.deadline.gateway.LimitStore;
import dev.deadline.gateway.LocalLimitStore;
import dev.deadline.gateway.RequestToken;
import dev.deadline.gateway.TokenBouncer;
import dev.deadline.gateway.TokenHash;
import dev.deadline.gateway.TokenLimitFilter;
import io.github.bucket4j.Bucket;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Limits on what a single client may ask for, where there are rules. They need Bucket4j and Caffeine; without them the
 * start-up stops.
 *
 * @since 0.1
 */
@AutoConfiguration(after = {DeadlineGatewayAutoConfiguration.class, DeadlineRedisRateLimitAutoConfiguration.class})
@ConditionalOnDeadlineEnabled
@ConditionalOnClass(Filter.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@Conditional(OnRateLimits.class)
public final class DeadlineRateLimitAutoConfiguration {

    @Bean
    ConfiguredLimits deadlineConfiguredLimits(
            DeadlineProperties properties, Environment environment, ConfigurableListableBeanFactory beanFactory) {
        ForwardedAddressCheck.warn(environment, beanFactory);
        return ConfiguredLimits.of(properties.gateway().rateLimit(), beanFactory.getBeanClassLoader());
    }

    @Bean
    ClientAddresses deadlineClientAddresses(ConfiguredLimits limits) {
        return new ClientAddresses(
                limits.settings().ipv4Prefix(), limits.settings().ipv6Prefix());
    }

    @Bean
    @ConditionalOnMissingBean(ClientLimit.class)
    Bouncer deadlineBouncer(
            ConfiguredLimits limits, ClientAddresses addresses, LimitStore store, DeadlineEngine engine) {
        return new Bouncer(
                limits.rules(),
                addresses,
                store,
                bans(limits.settings().ban()),
                limits.settings().maxKeys(),
                engine.clock());
    }

    private static @Nullable BanTerms bans(RateLimit.Ban ban) {
        return ban.enabled() ? new BanTerms(ban.after(), Nanos.of(ban.first()), Nanos.of(ban.max())) : null;
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Bucket.class, Caffeine.class})
    @ConditionalOnProperty(name = "deadline.gateway.rate-limit.store", havingValue = "local", matchIfMissing = true)
    static class Local {

        @Bean
        @ConditionalOnMissingBean
        LimitStore deadlineLimitStore(ConfiguredLimits limits, DeadlineEngine engine) {
            return new LocalLimitStore(limits.rules(), limits.settings().maxKeys(), engine.clock());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Conditional(OnRateLimits.ForTokens.class)
    static class Tokens {

        // That of spring.security.filter.order.
        private static final int USUAL_ORDER_OF_SECURITY = -100;

        @Bean
        @ConditionalOnMissingBean
        RequestToken deadlineRequestToken() {
            return new AcceptedToken();
        }

        @Bean
        @ConditionalOnMissingBean
        TokenBouncer deadlineTokenBouncer(
                ConfiguredLimits limits,
                RequestToken token,
                ClientAddresses addresses,
                LimitStore store,
                DeadlineEngine engine,
                ConfigurableListableBeanFactory beanFactory) {
            RateLimit settings = limits.settings();
            if (token instanceof AcceptedToken) {
                AuthenticationCheck.warnWithoutAny(beanFactory);
            }
            String secret = settings.redis().tokenSecret();
            return new TokenBouncer(
                    limits.rules(),
                    token,
                    (settings.store() == Store.REDIS && secret != null)
                            ? TokenHash.withKey(secret)
                            : TokenHash.withRandomKey(),
                    addresses,
                    store,
                    settings.sharedTokenAddresses(),
                    engine.listeners(),
                    engine.clock());
        }

        @Bean
        @ConditionalOnMissingBean(value = TokenLimitFilter.class, parameterizedContainer = FilterRegistrationBean.class)
        FilterRegistrationBean<TokenLimitFilter> deadlineTokenLimitFilter(
                ConfiguredLimits limits,
                RequestToken token,
                TokenBouncer bouncer,
                GateAnswer answers,
                DeadlineProperties properties,
                Environment environment,
                ConfigurableListableBeanFactory beanFactory) {
            List<String> exempt = HealthPaths.with(properties.gateway().exemptPaths(), environment);
            FilterRegistrationBean<TokenLimitFilter> registration = new FilterRegistrationBean<>(
                    new TokenLimitFilter(bouncer, limits.settings().mode(), answers, exempt));
            registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST));
            registration.setAsyncSupported(true);
            Integer security = AuthenticationCheck.securityOrder(beanFactory);
            Integer configured = limits.settings().tokenFilterOrder();
            registration.setOrder((configured != null) ? configured : justBehind(security));
            if (token instanceof AcceptedToken) {
                AuthenticationCheck.warnIfNotBehind(security, registration.getOrder());
            }
            return registration;
        }

        private static int justBehind(@Nullable Integer securityOrder) {
            int order = (securityOrder != null) ? securityOrder : USUAL_ORDER_OF_SECURITY;
            return Math.max(order, order + 1);
        }
    }
}
