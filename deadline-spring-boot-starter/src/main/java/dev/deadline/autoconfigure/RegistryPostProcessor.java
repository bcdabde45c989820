package dev.deadline.autoconfigure;

import dev.deadline.resilience4j.BoundedRegistries;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.util.function.SingletonSupplier;

/** Bounds the registries of Resilience4j, before anybody has looked something up in them. */
final class RegistryPostProcessor implements BeanPostProcessor, BeanFactoryAware, PriorityOrdered {

    private static final Log logger = LogFactory.getLog(RegistryPostProcessor.class);

    private final Supplier<BoundedRegistries> registries;

    private @Nullable BeanFactory beans;

    RegistryPostProcessor(ObjectProvider<DeadlineProperties> properties) {
        // With the first registry, for this is made before the settings are.
        this.registries = SingletonSupplier.of(() ->
                new BoundedRegistries(properties.getObject().resilience4j().countClampedTimeouts()));
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
        return this.registries.get().bounded(bean);
    }
}
