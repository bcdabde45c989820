package dev.deadline.autoconfigure;

import dev.deadline.propagation.DeadlineCodec;
import dev.deadline.propagation.GrpcTimeoutCodec;
import dev.deadline.propagation.RemainingMillisCodec;
import dev.deadline.propagation.ThreadLocalRegistration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;

/**
 * How deadlines travel: to other threads, and in headers. All {@link DeadlineCodec}s are read, the first is written.
 *
 * @since 0.1
 */
@AutoConfiguration
@ConditionalOnDeadlineEnabled
public final class DeadlinePropagationAutoConfiguration {

    @Bean
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
}
