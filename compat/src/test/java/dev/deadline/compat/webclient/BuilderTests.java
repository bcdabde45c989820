package dev.deadline.compat.webclient;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.Deadlines;
import dev.deadline.http.DeadlineExchangeFilter;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.function.client.WebClient;

/** Every builder that is a bean has the filter once, whatever becomes of it; others by hand. */
class BuilderTests {

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

    private void assertApplied(ConfigurableApplicationContext application, WebClient.Builder builder) {
        builder.filters(filters -> assertThat(filters)
                .filteredOn(DeadlineExchangeFilter.class::isInstance)
                .hasSize(1));
        assertSends(application, builder.build());
    }

    private void assertSends(ConfigurableApplicationContext application, WebClient client) {
        int before = this.upstream.requests().size();
        try (Deadlines.Started started = application.getBean(Deadlines.class).start(Duration.ofSeconds(60))) {
            client.get()
                    .uri(this.upstream.url("/ok"))
                    .retrieve()
                    .toBodilessEntity()
                    .block();
        }
        assertThat(this.upstream.requests().get(before).header("X-Deadline-Remaining-Ms"))
                .hasSize(1);
    }

    @Test
    void appliesToBuilderOfBoot() {
        WebClient.Builder builder = application.getBean(WebClient.Builder.class);

        assertApplied(application, builder);
        assertApplied(application, builder.clone());
        assertApplied(application, builder.build().mutate());
    }

    @Test
    void appliesToBuilderOfTheApplication() {
        try (ConfigurableApplicationContext application = WebClientApplication.start(OwnBuilder.class)) {
            WebClient.Builder builder = application.getBean("ownBuilder", WebClient.Builder.class);

            assertApplied(application, builder);
            assertApplied(application, builder.clone());
            assertApplied(application, builder.build().mutate());
        }
    }

    @Test
    void appliesOnceWhenAddedByHandToo() {
        WebClient.Builder builder = application.getBean(WebClient.Builder.class);

        assertApplied(application, builder.apply(DeadlineExchangeFilter.create()::addTo));
    }

    @Test
    void worksForClientsBuiltByHand() {
        WebClient.Builder builder = WebClient.builder().apply(DeadlineExchangeFilter.create()::addTo);

        assertApplied(application, builder);
    }

    @Test
    void worksAsAMereFilter() {
        WebClient client =
                WebClient.builder().filter(DeadlineExchangeFilter.create()).build();

        assertSends(application, client);
    }

    @Test
    void worksTwiceInOneChain() {
        WebClient client = application
                .getBean(WebClient.Builder.class)
                .filter(DeadlineExchangeFilter.create())
                .build();

        assertSends(application, client);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class OwnBuilder {

        @Bean
        WebClient.Builder ownBuilder() {
            return WebClient.builder();
        }
    }
}
