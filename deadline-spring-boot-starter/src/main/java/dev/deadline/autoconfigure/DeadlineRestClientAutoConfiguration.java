package dev.deadline.autoconfigure;

import dev.deadline.http.BlockingClients;
import dev.deadline.http.CallRules;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.client.RestClient;

/**
 * Calls of RestClient and RestTemplate, and of interfaces implemented with them.
 *
 * @since 0.1
 */
@AutoConfiguration(
        after = DeadlineHttpAutoConfiguration.class,
        beforeName = {
            "org.springframework.boot.autoconfigure.web.client.RestClientAutoConfiguration",
            "org.springframework.boot.autoconfigure.web.client.RestTemplateAutoConfiguration",
            "org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration",
            "org.springframework.boot.restclient.autoconfigure.RestTemplateAutoConfiguration"
        })
@ConditionalOnDeadlineEnabled
@ConditionalOnProperty(name = "deadline.http.enabled", matchIfMissing = true)
@ConditionalOnClass(RestClient.class)
@ImportRuntimeHints(BlockingClientHints.class)
public final class DeadlineRestClientAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    BlockingClients deadlineBlockingClients(CallRules rules) {
        return new BlockingClients(rules);
    }

    @Bean
    static BlockingClientPostProcessor deadlineBlockingClientPostProcessor(ObjectProvider<BlockingClients> clients) {
        return new BlockingClientPostProcessor(clients);
    }

    // Last, so that the request factory that another one sets is bounded as well.

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.web.client.RestClientCustomizer")
    static class Boot3 {

        @Bean
        @Order(Ordered.LOWEST_PRECEDENCE)
        org.springframework.boot.web.client.RestClientCustomizer deadlineBoot3RestClientCustomizer(
                BlockingClients clients) {
            return clients::bind;
        }

        @Bean
        @Order(Ordered.LOWEST_PRECEDENCE)
        org.springframework.boot.web.client.RestTemplateCustomizer deadlineBoot3RestTemplateCustomizer(
                BlockingClients clients) {
            return clients::bind;
        }

        // Always the same customizer, as a builder has none twice.
        @Bean
        static TemplateBuilderPostProcessor<org.springframework.boot.web.client.RestTemplateBuilder>
                deadlineBoot3TemplateBuilderPostProcessor(BeanFactory beans) {
            return new TemplateBuilderPostProcessor<>(
                    org.springframework.boot.web.client.RestTemplateBuilder.class,
                    builder -> builder.additionalCustomizers(beans.getBean(
                            "deadlineBoot3RestTemplateCustomizer",
                            org.springframework.boot.web.client.RestTemplateCustomizer.class)));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.restclient.RestClientCustomizer")
    static class Boot4 {

        @Bean
        @Order(Ordered.LOWEST_PRECEDENCE)
        org.springframework.boot.restclient.RestClientCustomizer deadlineBoot4RestClientCustomizer(
                BlockingClients clients) {
            return clients::bind;
        }

        @Bean
        @Order(Ordered.LOWEST_PRECEDENCE)
        org.springframework.boot.restclient.RestTemplateCustomizer deadlineBoot4RestTemplateCustomizer(
                BlockingClients clients) {
            return clients::bind;
        }

        // Always the same customizer, as a builder has none twice.
        @Bean
        static TemplateBuilderPostProcessor<org.springframework.boot.restclient.RestTemplateBuilder>
                deadlineBoot4TemplateBuilderPostProcessor(BeanFactory beans) {
            return new TemplateBuilderPostProcessor<>(
                    org.springframework.boot.restclient.RestTemplateBuilder.class,
                    builder -> builder.additionalCustomizers(beans.getBean(
                            "deadlineBoot4RestTemplateCustomizer",
                            org.springframework.boot.restclient.RestTemplateCustomizer.class)));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = {
                "org.springframework.boot.http.client.ReactorClientHttpRequestFactoryBuilder",
                "reactor.netty.http.client.HttpClient"
            })
    static class ReactorNetty {

        @Bean
        static RequestFactoryBuilderPostProcessor deadlineRequestFactoryBuilderPostProcessor() {
            return new RequestFactoryBuilderPostProcessor();
        }
    }
}
