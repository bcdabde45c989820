package dev.deadline.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.http.BlockingClients;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.client.ClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.ReactorClientHttpRequestFactoryBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.web.client.RestClientCustomizer;
import org.springframework.boot.web.client.RestTemplateBuilder;
import org.springframework.boot.web.client.RestTemplateCustomizer;
import org.springframework.web.client.RestClient;
import reactor.netty.http.client.HttpClient;

class DeadlineRestClientAutoConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DeadlineAutoConfiguration.class,
                    DeadlinePropagationAutoConfiguration.class,
                    DeadlineHttpAutoConfiguration.class,
                    DeadlineRestClientAutoConfiguration.class));

    @Test
    void customizesWhatBootBuilds() {
        this.runner.run(context -> assertThat(context)
                .hasSingleBean(RestClientCustomizer.class)
                .hasSingleBean(RestTemplateCustomizer.class));
    }

    @Test
    void backsOffForTheUsersOwn() {
        BlockingClients own = BlockingClients.create();
        this.runner
                .withBean(BlockingClients.class, () -> own)
                .run(context ->
                        assertThat(context.getBean(BlockingClients.class)).isSameAs(own));
    }

    @Test
    void isAbsentWhenDisabled() {
        for (String property : new String[] {"deadline.enabled=false", "deadline.http.enabled=false"}) {
            this.runner
                    .withPropertyValues(property)
                    .run(context -> assertThat(context)
                            .hasNotFailed()
                            .doesNotHaveBean(BlockingClients.class)
                            .doesNotHaveBean(BlockingClientPostProcessor.class)
                            .doesNotHaveBean(RestClientCustomizer.class));
        }
    }

    @Test
    void isAbsentWithoutRestClient() {
        this.runner
                .withClassLoader(new FilteredClassLoader(RestClient.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(BlockingClients.class));
    }

    @Test
    void doesWithoutReactorNettyAndBootsFactoryBuilders() {
        for (Class<?> absent : new Class<?>[] {HttpClient.class, ReactorClientHttpRequestFactoryBuilder.class}) {
            this.runner
                    .withClassLoader(new FilteredClassLoader(absent))
                    .run(context -> assertThat(context)
                            .hasNotFailed()
                            .hasSingleBean(BlockingClients.class)
                            .doesNotHaveBean(RequestFactoryBuilderPostProcessor.class));
        }
    }

    @Test
    void watchesTheFactoriesOfBoot() {
        ReactorClientHttpRequestFactoryBuilder builder = ClientHttpRequestFactoryBuilder.reactor();

        assertThat(new RequestFactoryBuilderPostProcessor().postProcessAfterInitialization(builder, "builder"))
                .isInstanceOf(ReactorClientHttpRequestFactoryBuilder.class)
                .isNotSameAs(builder);
    }

    @Test
    void leavesDerivedTemplateBuildersWhatTheyAre() {
        RestTemplateBuilder own = new RestTemplateBuilder() {};
        this.runner
                .withBean(RestTemplateBuilder.class, () -> own)
                .run(context ->
                        assertThat(context.getBean(RestTemplateBuilder.class)).isSameAs(own));
    }

    @Test
    void keepsInANativeImageWhatItReads() {
        RuntimeHints hints = new RuntimeHints();

        new BlockingClientHints().registerHints(hints, getClass().getClassLoader());

        assertThat(RuntimeHintsPredicates.proxies().forInterfaces(RestClient.Builder.class))
                .accepts(hints);
        assertThat(hints.reflection().typeHints()).hasSize(6);
    }
}
