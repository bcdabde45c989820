package dev.deadline.compat.step;

import static dev.deadline.OnTimeout.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.Step;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.Advisor;
import org.springframework.aop.aspectj.annotation.AnnotationAwareAspectJAutoProxyCreator;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.retry.annotation.EnableRetry;
import org.springframework.retry.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** Advice that is outside of a step is found at the start, and no order that one can set brings it there. */
@ExtendWith(OutputCaptureExtension.class)
class StepOutsideAdviceTests {

    @ParameterizedTest
    @ValueSource(classes = {Earliest.class, Latest.class})
    void staysQuietWhateverTheOrderOfOrdinaryAdvice(Class<?> orders, CapturedOutput output) {
        run(List.of(orders, Services.class), context -> {
            Advised busy = (Advised) context.getBean(Busy.class);
            assertThat(Stream.of(busy.getAdvisors()).map(Advisor::getAdvice))
                    .hasSizeGreaterThanOrEqualTo(6)
                    .first()
                    .extracting(advice -> advice.getClass().getName())
                    .isEqualTo("dev.deadline.aop.StepInterceptor");
            assertThat(output).doesNotContain("is outside of @Step");
        });
    }

    @Test
    void namesTheAspectThatIsOutside(CapturedOutput output) {
        run(
                List.of(Outside.class),
                context -> assertThat(output)
                        .containsOnlyOnce("is outside of @Step")
                        .contains("The aspect 'tracing' of the bean 'traced' is outside of @Step at "
                                + Traced.class.getName() + ".call(), so that each attempt"));
    }

    @FunctionalInterface
    private interface Check {

        void accept(ConfigurableApplicationContext context);
    }

    private static void run(List<Class<?>> configurations, Check check) {
        SpringApplicationBuilder application = new SpringApplicationBuilder(configurations.toArray(Class<?>[]::new))
                .web(WebApplicationType.NONE)
                .properties(Map.of("spring.main.banner-mode", "off"));
        try (ConfigurableApplicationContext context = application.run()) {
            check.accept(context);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(order = Ordered.HIGHEST_PRECEDENCE)
    @EnableCaching(order = Ordered.HIGHEST_PRECEDENCE)
    @EnableRetry(order = Ordered.HIGHEST_PRECEDENCE)
    @EnableTransactionManagement(order = Ordered.HIGHEST_PRECEDENCE)
    static class Earliest {

        @Bean
        EarliestTracing tracing() {
            return new EarliestTracing();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(order = Ordered.LOWEST_PRECEDENCE)
    @EnableCaching(order = Ordered.LOWEST_PRECEDENCE)
    @EnableRetry(order = Ordered.LOWEST_PRECEDENCE)
    @EnableTransactionManagement(order = Ordered.LOWEST_PRECEDENCE)
    static class Latest {

        @Bean
        LatestTracing tracing() {
            return new LatestTracing();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Services {

        @Bean
        RecordingTransactionManager transactionManager() {
            return new RecordingTransactionManager();
        }

        @Bean
        Busy busy() {
            return new Busy();
        }
    }

    static class Busy {

        @Async
        @Cacheable("busy")
        @Retryable
        @Transactional
        @Step(name = "busy", onTimeout = OPEN, fallback = "fallback")
        public CompletableFuture<String> call() {
            return CompletableFuture.completedFuture("called");
        }

        CompletableFuture<String> fallback() {
            return CompletableFuture.completedFuture("fallback");
        }
    }

    @Aspect
    abstract static class Tracing {

        @Around("@annotation(dev.deadline.Step)")
        public Object trace(ProceedingJoinPoint call) throws Throwable {
            return call.proceed();
        }
    }

    @Aspect
    @Order(Ordered.HIGHEST_PRECEDENCE)
    static class EarliestTracing extends Tracing {}

    @Aspect
    @Order(Ordered.LOWEST_PRECEDENCE)
    static class LatestTracing extends Tracing {}

    /** An application that makes proxies of its own for its aspects, around everything. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Outside {

        @Bean
        static AroundEverything aroundEverything() {
            return new AroundEverything();
        }

        @Bean
        LatestTracing tracing() {
            return new LatestTracing();
        }

        @Bean
        Traced traced() {
            return new Traced();
        }
    }

    static class AroundEverything extends AnnotationAwareAspectJAutoProxyCreator
            implements MergedBeanDefinitionPostProcessor {

        AroundEverything() {
            setOrder(LOWEST_PRECEDENCE);
            setProxyTargetClass(true);
        }

        @Override
        public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String beanName) {}
    }

    static class Traced {

        @Step(name = "traced", onTimeout = OPEN)
        public void call() {}
    }
}
