package dev.deadline.autoconfigure;

import dev.deadline.jdbc.DataSourceDecorator;
import dev.deadline.jdbc.JdbcDeadlines;
import java.lang.reflect.Method;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/** Decorates every data source, before whatever else the application wraps it in: nearest to the pool. */
final class DataSourcePostProcessor implements BeanPostProcessor, BeanFactoryAware, PriorityOrdered {

    private final ObjectProvider<JdbcDeadlines> deadlines;

    private final DataSourceDecorator decorator = new DataSourceDecorator(this::deadlines);

    private @Nullable ConfigurableListableBeanFactory beans;

    DataSourcePostProcessor(ObjectProvider<JdbcDeadlines> deadlines) {
        this.deadlines = deadlines;
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        this.beans = (beanFactory instanceof ConfigurableListableBeanFactory listable) ? listable : null;
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        return (bean instanceof DataSource dataSource)
                ? this.decorator.decorate(dataSource, beanName, isDeclaredByInterface(beanName))
                : bean;
    }

    // Nobody can rely on more than the bean was declared to be.
    private boolean isDeclaredByInterface(String beanName) {
        ConfigurableListableBeanFactory factory = this.beans;
        if (factory == null || !factory.containsBeanDefinition(beanName)) {
            return false;
        }
        BeanDefinition definition = factory.getMergedBeanDefinition(beanName);
        Method method = (definition instanceof RootBeanDefinition root) ? root.getResolvedFactoryMethod() : null;
        return method != null && method.getReturnType().isInterface();
    }

    // None while the beans behind them are being made, and after the end of the application.
    private @Nullable JdbcDeadlines deadlines() {
        try {
            return this.deadlines.getObject();
        } catch (BeansException ex) {
            return null;
        }
    }
}
