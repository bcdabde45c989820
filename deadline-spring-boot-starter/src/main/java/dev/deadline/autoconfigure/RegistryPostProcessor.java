package dev.deadline.autoconfigure;

import dev.deadline.resilience4j.BoundedRegistries;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/** Bounds the registries of Resilience4j, before anybody has looked something up in them. */
final class RegistryPostProcessor implements BeanPostProcessor, BeanFactoryAware, PriorityOrdered {

    private static final Log logger = LogFactory.getLog(RegistryPostProcessor.class);

    private final BoundedRegistries registries;

    private @Nullable BeanFactory beans;

    RegistryPostProcessor(boolean countClampedTimeouts) {
        this.registries = new BoundedRegistries(countClampedTimeouts);
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        this.beans = beanFactory;
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        // What stands in for a bean of a scope leads to one that has been here.
        if (!BoundedRegistries.isRegistry(bean) || bean instanceof ScopedObject) {
            return bean;
        }
        if (this.beans == null || !DeclaredType.isInterface(this.beans, beanName)) {
            logger.warn("What comes from the Resilience4j registry '" + beanName
                    + "' has no deadline, because the bean is not declared by an interface. Declare it as the registry's "
                    + "interface, such as RetryRegistry.");
            return bean;
        }
        return this.registries.bounded(bean);
    }
}
