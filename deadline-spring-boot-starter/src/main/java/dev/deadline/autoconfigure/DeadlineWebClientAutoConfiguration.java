package dev.deadline.autoconfigure;

import dev.deadline.http.CallRules;
import dev.deadline.http.DeadlineExchangeFilter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Calls of WebClient: those of Boot's builder, and those of the application's own builders.
 *
 * @since 0.1
 */
@AutoConfiguration(
        after = DeadlineHttpAutoConfiguration.class,
        beforeName = {
            "org.springframework.boot.autoconfigure.web.reactive.function.client.WebClientAutoConfiguration",
            "org.springframework.boot.webclient.autoconfigure.WebClientAutoConfiguration"
        })
@ConditionalOnDeadlineEnabled
@ConditionalOnProperty(name = "deadline.http.enabled", matchIfMissing = true)
@ConditionalOnClass(WebClient.class)
public final class DeadlineWebClientAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    DeadlineExchangeFilter deadlineExchangeFilter(CallRules rules) {
        return new DeadlineExchangeFilter(rules);
    }

    @Bean
    static WebClientBuilderPostProcessor deadlineWebClientBuilderPostProcessor(
            ObjectProvider<DeadlineExchangeFilter> filter) {
        return new WebClientBuilderPostProcessor(filter);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.web.reactive.function.client.WebClientCustomizer")
    static class Boot3 {

        @Bean
        org.springframework.boot.web.reactive.function.client.WebClientCustomizer deadlineBoot3WebClientCustomizer(
                DeadlineExchangeFilter filter) {
            return filter::addTo;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.webclient.WebClientCustomizer")
    static class Boot4 {

        @Bean
        org.springframework.boot.webclient.WebClientCustomizer deadlineBoot4WebClientCustomizer(
                DeadlineExchangeFilter filter) {
            return filter::addTo;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = {
                "org.springframework.boot.http.client.reactive.ReactorClientHttpConnectorBuilder",
                "reactor.netty.http.client.HttpClient"
            })
    static class ReactorNetty {

        @Bean
        static ConnectorBuilderPostProcessor deadlineConnectorBuilderPostProcessor() {
            return new ConnectorBuilderPostProcessor();
        }
    }
}
