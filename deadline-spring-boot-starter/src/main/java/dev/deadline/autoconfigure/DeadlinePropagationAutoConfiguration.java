package dev.deadline.autoconfigure;

import dev.deadline.propagation.DeadlineCodec;
import dev.deadline.propagation.GrpcTimeoutCodec;
import dev.deadline.propagation.RemainingMillisCodec;
import dev.deadline.propagation.ThreadLocalRegistration;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.task.SimpleAsyncTaskExecutorCustomizer;
import org.springframework.boot.task.ThreadPoolTaskExecutorCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * How deadlines travel: to other threads, and in headers. All {@link DeadlineCodec}s are read, the first is written.
 *
 * @since 0.1
 */
@AutoConfiguration
@ConditionalOnDeadlineEnabled
public final class DeadlinePropagationAutoConfiguration {

    // Nobody asks for it, so it would never be made where beans are made only when they are asked for.
    @Bean
    @Lazy(false)
    ThreadLocalRegistration deadlineThreadLocalRegistration() {
        return new ThreadLocalRegistration();
    }

    @Bean
    @Order(0)
    @ConditionalOnMissingBean(name = "deadlineRemainingMillisCodec")
    DeadlineCodec deadlineRemainingMillisCodec() {
        return new RemainingMillisCodec(RemainingMillisCodec.HEADER);
    }

    @Bean
    @Order(1)
    @ConditionalOnMissingBean(name = "deadlineGrpcTimeoutCodec")
    DeadlineCodec deadlineGrpcTimeoutCodec() {
        return new GrpcTimeoutCodec();
    }

    @Bean
    @Order(2)
    @ConditionalOnMissingBean(name = "deadlineEnvoyTimeoutCodec")
    DeadlineCodec deadlineEnvoyTimeoutCodec() {
        return new RemainingMillisCodec(RemainingMillisCodec.ENVOY_HEADER);
    }

    /** The executors that Boot's builders make; not its schedulers, as what is scheduled belongs to no request. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "deadline.propagation.task-executors", matchIfMissing = true)
    @ImportRuntimeHints(TaskDecoratorHints.class)
    static class TaskExecutors {

        // Last, as what others have set is kept and what is set afterwards would replace this.
        @Bean
        @Order(Ordered.LOWEST_PRECEDENCE)
        @ConditionalOnMissingBean(name = "deadlineThreadPoolTaskExecutorCustomizer")
        ThreadPoolTaskExecutorCustomizer deadlineThreadPoolTaskExecutorCustomizer() {
            return CarryingExecutors::decorate;
        }

        @Bean
        @Order(Ordered.LOWEST_PRECEDENCE)
        @ConditionalOnMissingBean(name = "deadlineSimpleAsyncTaskExecutorCustomizer")
        SimpleAsyncTaskExecutorCustomizer deadlineSimpleAsyncTaskExecutorCustomizer() {
            return CarryingExecutors::decorate;
        }
    }

    static class TaskDecoratorHints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            CarryingExecutors.registerHints(hints);
        }
    }
}
