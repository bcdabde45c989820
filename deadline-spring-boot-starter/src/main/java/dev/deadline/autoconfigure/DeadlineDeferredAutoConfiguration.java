package dev.deadline.autoconfigure;

import dev.deadline.engine.Deferred;
import dev.deadline.reactive.DeferredFlux;
import dev.deadline.reactive.DeferredMono;
import dev.deadline.reactive.DeferredStage;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/**
 * Steps whose results come later.
 *
 * @since 0.1
 */
@AutoConfiguration
@ConditionalOnDeadlineEnabled
public final class DeadlineDeferredAutoConfiguration {

    @Bean
    Deferred deadlineDeferredStage() {
        return new DeferredStage();
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Mono.class)
    static class Reactor {

        @Bean
        Deferred deadlineDeferredMono() {
            return new DeferredMono();
        }

        @Bean
        Deferred deadlineDeferredFlux() {
            return new DeferredFlux();
        }
    }
}
