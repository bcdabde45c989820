package dev.deadline.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.RealEngine;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.AbstractClientHttpRequestFactoryWrapper;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.web.client.RestClient;

/** What is left of a call when its caller has what it wants. */
class ResponseEndTests {

    private final RealEngine engine = new RealEngine();

    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        this.server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write(new byte[] {'o', 'k'});
            exchange.close();
        });
        this.server.start();
    }

    @AfterEach
    void stop() {
        this.server.stop(0);
        this.engine.close();
    }

    @Test
    void leavesNothingInTheRequestWhenOnlyTheBodyIsClosed() throws Exception {
        RestClient client = BlockingClients.create().bound(RestClient.create(url()));
        Scope scope = this.engine.request(Duration.ofSeconds(30));
        DeadlineEngine bound = this.engine.engine();

        try (Section section = bound.bind(scope)) {
            for (int call = 0; call < 3; call++) {
                try (InputStream body = client.get().exchange((request, response) -> response.getBody(), false)) {
                    assertThat(body.readAllBytes()).hasSize(2);
                }
            }
            assertThat(this.engine.hasHooks(scope)).isFalse();
        }
    }

    /** A factory that has another one to fall back on, and keeps that to itself. */
    private static final class Failover extends AbstractClientHttpRequestFactoryWrapper {

        private final ClientHttpRequestFactory second;

        Failover(ClientHttpRequestFactory first, ClientHttpRequestFactory second) {
            super(first);
            this.second = second;
        }

        @Override
        protected ClientHttpRequest createRequest(URI uri, HttpMethod method, ClientHttpRequestFactory first)
                throws IOException {
            return first.createRequest(uri, method);
        }
    }

    @Test
    void replacesNoFactoryButTheOneThatIsWrapped() {
        ClientHttpRequestFactory second = new SimpleClientHttpRequestFactory();
        Failover failover = new Failover(new JdkClientHttpRequestFactory(), second);

        BlockingClients.create().bound(failover);

        assertThat(failover.second).isSameAs(second);
        assertThat(failover.getDelegate()).isInstanceOf(DeadlineRequestFactory.class);
    }

    private String url() {
        return "http://127.0.0.1:" + this.server.getAddress().getPort() + "/";
    }
}
