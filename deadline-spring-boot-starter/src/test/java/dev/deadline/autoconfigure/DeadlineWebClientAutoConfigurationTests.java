package dev.deadline.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.http.DeadlineExchangeFilter;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.client.reactive.ReactorClientHttpConnectorBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.web.reactive.function.client.WebClientCustomizer;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.netty.http.client.HttpClient;

class DeadlineWebClientAutoConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DeadlineAutoConfiguration.class,
                    DeadlinePropagationAutoConfiguration.class,
                    DeadlineHttpAutoConfiguration.class,
                    DeadlineWebClientAutoConfiguration.class));

    @Test
    void customizesTheBuildersOfBoot() {
        this.runner.run(context -> {
            WebClient.Builder builder = WebClient.builder();
            context.getBean(WebClientCustomizer.class).customize(builder);

            builder.filters(
                    filters -> assertThat(filters).containsExactly(context.getBean(DeadlineExchangeFilter.class)));
        });
    }

    @Test
    void backsOffForTheUsersOwn() {
        DeadlineExchangeFilter own = DeadlineExchangeFilter.create();
        this.runner
                .withBean(DeadlineExchangeFilter.class, () -> own)
                .withBean(WebClient.Builder.class, WebClient::builder)
                .run(context -> context.getBean(WebClient.Builder.class)
                        .filters(filters -> assertThat(filters).containsExactly(own)));
    }

    @Test
    void isAbsentWithoutWebClient() {
        this.runner
                .withClassLoader(new FilteredClassLoader(WebClient.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(DeadlineExchangeFilter.class));
    }

    @Test
    void doesWithoutReactorNetty() {
        this.runner
                .withClassLoader(new FilteredClassLoader(HttpClient.class))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(DeadlineExchangeFilter.class)
                        .doesNotHaveBean(ConnectorBuilderPostProcessor.class));
    }

    @Test
    void doesWithoutTheConnectorsOfBoot() {
        this.runner
                .withClassLoader(new FilteredClassLoader(ReactorClientHttpConnectorBuilder.class))
                .run(context ->
                        assertThat(context).hasNotFailed().doesNotHaveBean(ConnectorBuilderPostProcessor.class));
    }

    @Test
    void isAbsentWhenDisabled() {
        this.runner
                .withPropertyValues("deadline.enabled=false")
                .run(context -> assertThat(context)
                        .doesNotHaveBean(DeadlineExchangeFilter.class)
                        .doesNotHaveBean(WebClientBuilderPostProcessor.class)
                        .doesNotHaveBean(WebClientCustomizer.class));
    }
}
