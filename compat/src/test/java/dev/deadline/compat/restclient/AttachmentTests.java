package dev.deadline.compat.restclient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.deadline.DeadlineListener;
import dev.deadline.Deadlines;
import dev.deadline.compat.webclient.FaultServer;
import dev.deadline.compat.webclient.WebClientApplication;
import dev.deadline.http.BlockingClients;
import dev.deadline.http.DeadlineExchangeFilter;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Scope;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.http.client.BufferingClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

/** Every blocking client that is a bean, or comes from a builder that is one, is bounded once; others by hand. */
class AttachmentTests {

    private static ConfigurableApplicationContext application;

    private FaultServer upstream;

    @BeforeAll
    static void start() {
        application = WebClientApplication.startWithThreadsOfItsOwn();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void startUpstream() {
        this.upstream = new FaultServer();
    }

    @AfterEach
    void stopUpstream() throws IOException {
        this.upstream.close();
    }

    private void assertBounded(ConfigurableApplicationContext application, RestClient client) {
        assertThat(application.getBean(BlockingClients.class).bound(client)).isSameAs(client);
        assertThat(sent(application, () -> client.get().uri(url()).retrieve().toBodilessEntity()))
                .hasSize(1);
    }

    private String url() {
        return this.upstream.url("/ok");
    }

    private List<String> sent(ConfigurableApplicationContext application, Runnable call) {
        int before = this.upstream.requests().size();
        try (Deadlines.Started started = application.getBean(Deadlines.class).start(Duration.ofSeconds(60))) {
            call.run();
        }
        return this.upstream.requests().get(before).header("X-Deadline-Remaining-Ms");
    }

    @Test
    void boundsClientsOfBootsBuilder() {
        RestClient.Builder builder = application.getBean(RestClient.Builder.class);

        assertBounded(application, builder.build());
        assertBounded(application, builder.clone().build());
        assertBounded(application, builder.build().mutate().build());
    }

    /** C13: the request factory is exchanged after everybody has customized the builder. */
    @Test
    void boundsFactoryThatIsSetLate() {
        RestClient.Builder builder = application.getBean(RestClient.Builder.class);

        assertBounded(
                application,
                builder.requestFactory(new JdkClientHttpRequestFactory()).build());
        assertBounded(
                application,
                builder.apply(it -> it.requestFactory(new SimpleClientHttpRequestFactory()))
                        .build());
        assertBounded(
                application,
                builder.clone()
                        .requestFactory(new BufferingClientHttpRequestFactory(new JdkClientHttpRequestFactory()))
                        .build());
    }

    @Test
    void boundsClientsAndTemplatesOfTheApplication() {
        try (ConfigurableApplicationContext application = WebClientApplication.start(Own.class)) {
            assertBounded(
                    application,
                    application.getBean("ownBuilder", RestClient.Builder.class).build());
            assertBounded(application, application.getBean("ownClient", RestClient.class));
            RestTemplate template = application.getBean("ownTemplate", RestTemplate.class);
            assertThat(template.getInterceptors()).hasSize(1);
            assertThat(sent(application, () -> template.getForObject(url(), String.class)))
                    .hasSize(1);
            assertThat(this.upstream
                            .requests()
                            .get(this.upstream.requests().size() - 1)
                            .header("X-Own"))
                    .containsExactly("yes");
        }
    }

    @Test
    void boundsTemplatesOfBootsBuilder() {
        assertBounds(application, "restTemplateBuilder");
    }

    /** C13: Boot's customizers do not see it. */
    @Test
    void boundsTemplatesOfTheApplicationsBuilder() {
        try (ConfigurableApplicationContext application = WebClientApplication.start(OwnTemplateBuilders.class)) {
            assertThat(application.containsBean("restTemplateBuilder")).isFalse();
            assertBounds(application, "singleton");
            assertBounds(application, "prototype");
            assertBounds(application, "prototype");
        }
    }

    private void assertBounds(ConfigurableApplicationContext application, String templateBuilder) {
        Object builder = application.getBean(templateBuilder);
        RestTemplate template = (RestTemplate)
                ReflectionUtils.invokeMethod(ReflectionUtils.findMethod(builder.getClass(), "build"), builder);

        assertThat(sent(application, () -> template.getForObject(url(), String.class)))
                .hasSize(1);
    }

    /** As many a start-up does, on the advice of many a page. */
    @Test
    void letsTheFactoryOfATemplateBeCastToWhatItWas() {
        try (ConfigurableApplicationContext application = WebClientApplication.start(CastFactories.class)) {
            application.getBean("settings");
            for (RestTemplate template :
                    application.getBeansOfType(RestTemplate.class).values()) {
                try (Deadlines.Started started =
                        application.getBean(Deadlines.class).start(Duration.ofSeconds(10))) {
                    assertThatExceptionOfType(ResourceAccessException.class)
                            .isThrownBy(() -> template.getForObject(this.upstream.url("/silent"), String.class))
                            .withCauseInstanceOf(SocketTimeoutException.class);
                }
                assertThat(sent(application, () -> template.getForObject(url(), String.class)))
                        .hasSize(1);
            }
        }
    }

    /** The one that is given out overrides them all. */
    @ParameterizedTest
    @EnumSource
    void noFactoryOfSpringsHasFinalMethods(BlockingClient kind) {
        assertThat(kind.factory().getClass().getMethods())
                .filteredOn(method -> method.getDeclaringClass() != Object.class)
                .noneMatch(method -> Modifier.isFinal(method.getModifiers()));
    }

    @ParameterizedTest
    @EnumSource
    void givesOutAFactoryOfTheSameClass(BlockingClient kind) {
        ClientHttpRequestFactory factory = kind.factory();
        RestTemplate template = new RestTemplate(factory);
        BlockingClients clients = application.getBean(BlockingClients.class);

        clients.bind(template);

        ClientHttpRequestFactory given = template.getRequestFactory();
        assertThat(given).isInstanceOf(factory.getClass()).isNotSameAs(factory);
        assertThat(clients.bound(given)).isSameAs(given);
        clients.bind(template);
        assertThat(template.getRequestFactory()).isSameAs(given);
    }

    /** C13: one for each injection point. */
    @Test
    void boundsClientsOfBuildersThatAreMadeAnew() {
        try (ConfigurableApplicationContext application = WebClientApplication.start(Prototypes.class)) {
            for (int time = 0; time < 2; time++) {
                RestClient.Builder builder = application.getBean("anew", RestClient.Builder.class);
                WebClient webClient =
                        application.getBean("webAnew", WebClient.Builder.class).build();

                assertBounded(
                        application,
                        builder.requestFactory(new JdkClientHttpRequestFactory())
                                .build());
                assertThat(sent(application, () -> call(webClient))).hasSize(1);
            }
        }
    }

    private void call(WebClient client) {
        client.get().uri(url()).retrieve().toBodilessEntity().block();
    }

    @Test
    void boundsInterfacesOnBoundedClients() {
        RestClient client = application
                .getBean(RestClient.Builder.class)
                .baseUrl(this.upstream.url(""))
                .build();
        Greetings greetings = HttpServiceProxyFactory.builderFor(RestClientAdapter.create(client))
                .build()
                .createClient(Greetings.class);

        assertThat(sent(application, greetings::ok)).hasSize(1);
    }

    /** C13: a client made by the static method is out of reach, and can be bounded by hand. */
    @Test
    void reachesClientsMadeByHandOnlyByHand() {
        RestClient client = RestClient.create();

        assertThat(sent(application, () -> client.get().uri(url()).retrieve().toBodilessEntity()))
                .isEmpty();
        assertBounded(application, BlockingClients.create().bound(client));
        assertBounded(
                application,
                RestClient.builder()
                        .requestFactory(BlockingClients.create().bound(new JdkClientHttpRequestFactory()))
                        .build());
    }

    @Test
    void leavesEverythingAloneWhenHttpIsDisabled() {
        try (ConfigurableApplicationContext application =
                WebClientApplication.start(Own.class, "deadline.http.enabled=false")) {
            assertThat(application.getBeansOfType(BlockingClients.class)).isEmpty();
            assertThat(application.getBeansOfType(DeadlineExchangeFilter.class)).isEmpty();
            application
                    .getBean(WebClient.Builder.class)
                    .filters(filters -> assertThat(filters).isEmpty());
            RestClient client = application.getBean("ownClient", RestClient.class);
            assertThat(sent(
                            application,
                            () -> client.get().uri(url()).retrieve().toBodilessEntity()))
                    .isEmpty();
        }
    }

    @Test
    void leavesCallsAloneInObserveMode() {
        try (ConfigurableApplicationContext application = WebClientApplication.start("deadline.mode=observe");
                Deadlines.Started started = application.getBean(Deadlines.class).start(Duration.ofNanos(1))) {
            RestClient client = application.getBean(RestClient.Builder.class).build();

            client.get().uri(url()).retrieve().toBodilessEntity();

            assertThat(this.upstream.requests().get(0).header("X-Deadline-Remaining-Ms"))
                    .isEmpty();
        }
    }

    @Test
    void tellsOfCallsWithoutADeadline() {
        try (ConfigurableApplicationContext application = WebClientApplication.start(Own.class)) {
            application
                    .getBean(RestClient.Builder.class)
                    .build()
                    .get()
                    .uri(url())
                    .retrieve()
                    .toBodilessEntity();
            call(application.getBean(WebClient.Builder.class).build());

            assertThat(application.getBean(Unbounded.class).clients).containsExactly("http", "webclient");
        }
    }

    interface Greetings {

        @GetExchange("/ok")
        String ok();
    }

    static final class Unbounded implements DeadlineListener {

        private final List<String> clients = new CopyOnWriteArrayList<>();

        @Override
        public void unboundedCall(String client) {
            this.clients.add(client);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Own {

        @Bean
        RestClient.Builder ownBuilder() {
            return RestClient.builder();
        }

        @Bean
        RestClient ownClient() {
            return RestClient.create();
        }

        @Bean
        RestTemplate ownTemplate() {
            RestTemplate template = new RestTemplate();
            template.getInterceptors().add((request, body, execution) -> {
                request.getHeaders().set("X-Own", "yes");
                return execution.execute(request, body);
            });
            return template;
        }

        @Bean
        Unbounded unbounded() {
            return new Unbounded();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Prototypes {

        @Bean
        @Scope("prototype")
        RestClient.Builder anew() {
            return RestClient.builder();
        }

        @Bean
        @Scope("prototype")
        WebClient.Builder webAnew() {
            return WebClient.builder();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class CastFactories {

        @Bean
        RestTemplate simple() {
            return new RestTemplate();
        }

        @Bean
        RestTemplate derived() {
            return new RestTemplate(new SimpleClientHttpRequestFactory() {});
        }

        @Bean
        RestTemplate apache() {
            return new RestTemplate(new HttpComponentsClientHttpRequestFactory());
        }

        @Bean
        InitializingBean settings(RestTemplate simple, RestTemplate derived, RestTemplate apache) {
            return () -> {
                ((SimpleClientHttpRequestFactory) simple.getRequestFactory()).setReadTimeout(100);
                ((SimpleClientHttpRequestFactory) derived.getRequestFactory()).setReadTimeout(100);
                ((HttpComponentsClientHttpRequestFactory) apache.getRequestFactory()).setReadTimeout(100);
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(TemplateBuilders.class)
    static class OwnTemplateBuilders {}

    /** As {@code new RestTemplateBuilder()} in a method for a bean: its type has moved between the lines of Boot. */
    static class TemplateBuilders implements ImportBeanDefinitionRegistrar {

        @Override
        public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
            for (String scope : List.of("singleton", "prototype")) {
                registry.registerBeanDefinition(scope, definition(type()));
                registry.getBeanDefinition(scope).setScope(scope);
            }
        }

        private static Class<?> type() {
            ClassLoader loader = AttachmentTests.class.getClassLoader();
            String boot4 = "org.springframework.boot.restclient.RestTemplateBuilder";
            boolean is4 = ClassUtils.isPresent(boot4, loader);
            return ClassUtils.resolveClassName(
                    is4 ? boot4 : "org.springframework.boot.web.client.RestTemplateBuilder", loader);
        }

        private static <T> BeanDefinition definition(Class<T> type) {
            Constructor<?> constructor = type.getConstructors()[0];
            Object customizers = Array.newInstance(constructor.getParameterTypes()[0].getComponentType(), 0);
            return BeanDefinitionBuilder.genericBeanDefinition(
                            type, () -> type.cast(BeanUtils.instantiateClass(constructor, customizers)))
                    .getBeanDefinition();
        }
    }
}
