package dev.deadline.autoconfigure;

import dev.deadline.http.NettyConnectionWatch;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.http.client.ReactorClientHttpRequestFactoryBuilder;

/** Reaches the HTTP clients on Reactor Netty that Boot builds for blocking ones. */
final class RequestFactoryBuilderPostProcessor implements BeanPostProcessor {

    private final NettyConnectionWatch watch = new NettyConnectionWatch();

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        return (bean instanceof ReactorClientHttpRequestFactoryBuilder builder)
                ? builder.withHttpClientCustomizer(this.watch)
                : bean;
    }
}
