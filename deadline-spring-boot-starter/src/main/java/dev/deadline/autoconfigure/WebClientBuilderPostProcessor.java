package dev.deadline.autoconfigure;

import dev.deadline.http.DeadlineExchangeFilter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.web.reactive.function.client.WebClient;

/** Reaches the builders that the application declares itself, which Boot's customizers do not see. */
final class WebClientBuilderPostProcessor implements BeanPostProcessor {

    private final ObjectProvider<DeadlineExchangeFilter> filter;

    WebClientBuilderPostProcessor(ObjectProvider<DeadlineExchangeFilter> filter) {
        this.filter = filter;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof WebClient.Builder builder) {
            this.filter.getObject().addTo(builder);
        }
        return bean;
    }
}
