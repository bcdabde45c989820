package dev.deadline.autoconfigure;

import com.github.benmanes.caffeine.cache.Caffeine;
import dev.deadline.autoconfigure.DeadlineProperties.Gateway.RateLimit;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.InvalidSetupException;
import dev.deadline.gateway.LimitStore;
import dev.deadline.gateway.RedisLimitStores;
import dev.deadline.gateway.SharedLimitStore;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import jakarta.servlet.Filter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Rate limits that instances share, in the Redis that Spring Data is set up for. After Boot's own configuration of it, whose
 * package is another on Boot 4.
 *
 * @since 0.1
 */
@AutoConfiguration(
        after = DeadlineAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
        })
@ConditionalOnDeadlineEnabled
@ConditionalOnClass({Filter.class, Bucket4jLettuce.class, LettuceConnectionFactory.class, Caffeine.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty(name = "deadline.gateway.rate-limit.store", havingValue = "redis")
@Conditional(OnRateLimits.class)
public final class DeadlineRedisRateLimitAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(LimitStore.class)
    SharedLimitStore deadlineRedisLimitStore(
            ConfiguredLimits limits, ObjectProvider<LettuceConnectionFactory> factories, DeadlineEngine engine) {
        LettuceConnectionFactory factory = factories.getIfAvailable();
        if (factory == null) {
            throw new InvalidSetupException(
                    "deadline.gateway.rate-limit.store is 'redis', and there is no connection to Redis by Lettuce.",
                    "Set spring.data.redis.host, or declare a LettuceConnectionFactory.");
        }
        RateLimit settings = limits.settings();
        return RedisLimitStores.of(
                factory::getRequiredNativeClient,
                limits.rules(),
                settings.redis().keyPrefix(),
                settings.redis().timeout(),
                settings.maxKeys(),
                engine.listeners(),
                engine.clock());
    }
}
