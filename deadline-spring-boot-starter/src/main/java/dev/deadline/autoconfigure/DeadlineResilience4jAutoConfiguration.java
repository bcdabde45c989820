package dev.deadline.autoconfigure;

import dev.deadline.resilience4j.ReactiveAspects;
import dev.deadline.resilience4j.TimelyFallbacks;
import io.github.resilience4j.reactor.retry.RetryOperator;
import io.github.resilience4j.spring6.bulkhead.configure.ReactorBulkheadAspectExt;
import io.github.resilience4j.spring6.circuitbreaker.configure.ReactorCircuitBreakerAspectExt;
import io.github.resilience4j.spring6.fallback.FallbackDecorator;
import io.github.resilience4j.spring6.fallback.FallbackDecorators;
import io.github.resilience4j.spring6.ratelimiter.configure.ReactorRateLimiterAspectExt;
import io.github.resilience4j.spring6.retry.configure.ReactorRetryAspectExt;
import io.github.resilience4j.spring6.retry.configure.RetryAspectExt;
import io.github.resilience4j.spring6.timelimiter.configure.ReactorTimeLimiterAspectExt;
import org.aspectj.lang.ProceedingJoinPoint;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import reactor.core.publisher.Mono;

/**
 * Retries, breakers, bulkheads, rate limiters and time limiters of Resilience4j. Before its own configurations, which back
 * off for what is declared here; those of Boot 3 and of Boot 4 differ in their packages only.
 *
 * @since 0.1
 */
@AutoConfiguration(
        beforeName = {
            "io.github.resilience4j.springboot3.bulkhead.autoconfigure.BulkheadAutoConfiguration",
            "io.github.resilience4j.springboot3.circuitbreaker.autoconfigure.CircuitBreakerAutoConfiguration",
            "io.github.resilience4j.springboot3.ratelimiter.autoconfigure.RateLimiterAutoConfiguration",
            "io.github.resilience4j.springboot3.retry.autoconfigure.RetryAutoConfiguration",
            "io.github.resilience4j.springboot3.timelimiter.autoconfigure.TimeLimiterAutoConfiguration",
            "io.github.resilience4j.springboot.bulkhead.autoconfigure.BulkheadAutoConfiguration",
            "io.github.resilience4j.springboot.circuitbreaker.autoconfigure.CircuitBreakerAutoConfiguration",
            "io.github.resilience4j.springboot.ratelimiter.autoconfigure.RateLimiterAutoConfiguration",
            "io.github.resilience4j.springboot.retry.autoconfigure.RetryAutoConfiguration",
            "io.github.resilience4j.springboot.timelimiter.autoconfigure.TimeLimiterAutoConfiguration"
        })
@ConditionalOnDeadlineEnabled
@ConditionalOnClass(RetryAspectExt.class)
@ConditionalOnProperty(name = "deadline.resilience4j.enabled", matchIfMissing = true)
@ImportRuntimeHints(RegistryHints.class)
public final class DeadlineResilience4jAutoConfiguration {

    @Bean
    static RegistryPostProcessor deadlineRegistryPostProcessor(ObjectProvider<DeadlineProperties> properties) {
        return new RegistryPostProcessor(properties);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ProceedingJoinPoint.class)
    static class Annotations {

        @Bean
        @ConditionalOnMissingBean
        FallbackDecorators deadlineFallbackDecorators(ObjectProvider<FallbackDecorator> decorators) {
            return new TimelyFallbacks(decorators.orderedStream().toList());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({ProceedingJoinPoint.class, Mono.class, RetryOperator.class})
    static class Reactor {

        @Bean
        @ConditionalOnMissingBean
        ReactorRetryAspectExt deadlineReactorRetryAspect() {
            return new ReactiveAspects.OfRetry();
        }

        @Bean
        @ConditionalOnMissingBean
        ReactorCircuitBreakerAspectExt deadlineReactorCircuitBreakerAspect() {
            return new ReactiveAspects.OfCircuitBreaker();
        }

        @Bean
        @ConditionalOnMissingBean
        ReactorBulkheadAspectExt deadlineReactorBulkheadAspect() {
            return new ReactiveAspects.OfBulkhead();
        }

        @Bean
        @ConditionalOnMissingBean
        ReactorRateLimiterAspectExt deadlineReactorRateLimiterAspect() {
            return new ReactiveAspects.OfRateLimiter();
        }

        @Bean
        @ConditionalOnMissingBean
        ReactorTimeLimiterAspectExt deadlineReactorTimeLimiterAspect() {
            return new ReactiveAspects.OfTimeLimiter();
        }
    }
}
