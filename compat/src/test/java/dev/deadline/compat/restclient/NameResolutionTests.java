package dev.deadline.compat.restclient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.deadline.DeadlineExceededException;
import dev.deadline.Deadlines;
import dev.deadline.compat.webclient.Repeated;
import dev.deadline.compat.webclient.SilentResolver;
import dev.deadline.compat.webclient.WebClientApplication;
import dev.deadline.http.BlockingClients;
import dev.deadline.http.NettyConnectionWatch;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.util.SocketAddressResolver;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.JettyClientHttpRequestFactory;
import org.springframework.http.client.ReactorClientHttpRequestFactory;
import org.springframework.web.client.RestClient;

/**
 * C04: a name server that is silent does not hold the caller, with clients that resolve names on other threads. HC5 and
 * Simple do so on the caller's, inside a call of the operating system that nothing ends; the documentation says so.
 */
class NameResolutionTests {

    private static final Duration BUDGET = Duration.ofMillis(250);

    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() {
        application = WebClientApplication.start();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static RestClient client(ClientHttpRequestFactory factory) {
        return RestClient.builder()
                .requestFactory(application.getBean(BlockingClients.class).bound(factory))
                .build();
    }

    private static DeadlineExceededException exceeded(RestClient client) {
        try (Deadlines.Started started = application.getBean(Deadlines.class).start(BUDGET)) {
            long begin = System.nanoTime();
            DeadlineExceededException failure = catchThrowableOfType(
                    DeadlineExceededException.class,
                    () -> client.get().uri("http://upstream.test/").retrieve().toBodilessEntity());
            assertThat(failure).isNotNull();
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(BUDGET.plusSeconds(2));
            return failure;
        }
    }

    @Test
    void doesNotHoldCallersOfJetty() {
        HttpClient jetty = new HttpClient();
        AtomicInteger asked = new AtomicInteger();
        // Never answers. A proxy, as the method differs between the lines.
        jetty.setSocketAddressResolver((SocketAddressResolver) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {SocketAddressResolver.class},
                (proxy, method, arguments) -> {
                    asked.incrementAndGet();
                    return null;
                }));
        RestClient client = client(new JettyClientHttpRequestFactory(jetty));

        Repeated.until(() -> {
            exceeded(client);
            return asked.get() > 0;
        });
    }

    @Test
    void doesNotHoldCallersOfReactor() {
        reactor.netty.http.client.HttpClient http =
                reactor.netty.http.client.HttpClient.newConnection().resolver(new SilentResolver());

        RestClient client = client(new ReactorClientHttpRequestFactory(new NettyConnectionWatch().apply(http)));

        Repeated.until(
                message -> message.contains("name resolution"),
                () -> exceeded(client).getCause().getMessage());
    }
}
