package dev.deadline.autoconfigure;

import dev.deadline.aop.StepAudit;
import dev.deadline.aop.StepPostProcessor;
import dev.deadline.engine.StepRegistry;
import dev.deadline.engine.StepRunner;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/**
 * Makes {@link dev.deadline.Step} work.
 *
 * @since 0.1
 */
@AutoConfiguration(after = DeadlineAutoConfiguration.class)
@ConditionalOnDeadlineEnabled
public final class DeadlineStepAutoConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static StepPostProcessor deadlineStepPostProcessor(
            Environment environment, ObjectProvider<StepRegistry> registry, ObjectProvider<StepRunner> runner) {
        boolean proxyTargetClass = environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true);
        return new StepPostProcessor(proxyTargetClass, registry::getObject, runner::getObject);
    }

    @Bean
    StepAudit deadlineStepAudit(
            ConfigurableListableBeanFactory beans, StepPostProcessor postProcessor, StepRegistry registry) {
        return new StepAudit(beans, postProcessor, registry);
    }
}
