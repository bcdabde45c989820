package dev.deadline.autoconfigure;

import java.util.function.UnaryOperator;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Reaches the {@code RestTemplateBuilder} beans that the application makes itself, which Boot's customizers do not see.
 *
 * @param <B> the builder of one line of Boot
 */
final class TemplateBuilderPostProcessor<B> implements BeanPostProcessor {

    private final Class<B> type;

    private final UnaryOperator<B> bounded;

    /**
     * @param bounded makes of a builder one whose templates are bounded, once
     */
    TemplateBuilderPostProcessor(Class<B> type, UnaryOperator<B> bounded) {
        this.type = type;
        this.bounded = bounded;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        // Of a derived class it would make one of the class it is derived from.
        return (bean.getClass() == this.type) ? this.bounded.apply(this.type.cast(bean)) : bean;
    }
}
