package dev.deadline.autoconfigure;

import dev.deadline.jdbc.DataSourceDecorator;
import dev.deadline.jdbc.JdbcDeadlines;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/** Decorates every data source, before whatever else the application wraps it in: nearest to the pool. */
final class DataSourcePostProcessor implements BeanPostProcessor, BeanFactoryAware, PriorityOrdered {

    private final ObjectProvider<JdbcDeadlines> deadlines;

    private final DataSourceDecorator decorator = new DataSourceDecorator(this::deadlines);

    private @Nullable BeanFactory beans;

    DataSourcePostProcessor(ObjectProvider<JdbcDeadlines> deadlines) {
        this.deadlines = deadlines;
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
        return (bean instanceof DataSource dataSource)
                ? this.decorator.decorate(
                        dataSource, beanName, this.beans != null && DeclaredType.isInterface(this.beans, beanName))
                : bean;
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
