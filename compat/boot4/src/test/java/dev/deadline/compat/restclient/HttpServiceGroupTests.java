package dev.deadline.compat.restclient;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.Deadlines;
import dev.deadline.compat.webclient.FaultServer;
import dev.deadline.compat.webclient.WebClientApplication;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.registry.ImportHttpServices;

/** Interfaces that Boot 4 implements itself. */
class HttpServiceGroupTests {

    @Test
    void areBounded() throws IOException {
        try (FaultServer upstream = new FaultServer();
                ConfigurableApplicationContext application = WebClientApplication.start(
                        Services.class,
                        "spring.http.serviceclient.greetings.base-url=" + upstream.url(""),
                        "spring.http.serviceclient.greetings.read-timeout=10s");
                Deadlines.Started started = application.getBean(Deadlines.class).start(Duration.ofSeconds(60))) {
            application.getBean(Greetings.class).ok();

            assertThat(upstream.requests().get(0).header("X-Deadline-Remaining-Ms"))
                    .hasSize(1);
        }
    }

    interface Greetings {

        @GetExchange("/ok")
        String ok();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @ImportHttpServices(group = "greetings", types = Greetings.class)
    static class Services {}
}
