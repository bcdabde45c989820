package dev.deadline.compat.restclient;

import dev.deadline.http.NettyConnectionWatch;
import java.net.http.HttpClient;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.JettyClientHttpRequestFactory;
import org.springframework.http.client.ReactorClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import reactor.netty.resources.ConnectionProvider;

/** The request factories of Spring, each with a pool of one connection where it has one, and following redirects. */
enum BlockingClient {
    JDK {
        @Override
        ClientHttpRequestFactory factory() {
            return new JdkClientHttpRequestFactory(HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.NORMAL)
                    .build());
        }
    },

    HC5 {
        @Override
        ClientHttpRequestFactory factory() {
            return new HttpComponentsClientHttpRequestFactory(HttpClients.custom()
                    .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                            .setMaxConnPerRoute(1)
                            .build())
                    .setDefaultRequestConfig(RequestConfig.custom()
                            .setCircularRedirectsAllowed(true)
                            .build())
                    .build());
        }
    },

    JETTY {
        @Override
        ClientHttpRequestFactory factory() {
            org.eclipse.jetty.client.HttpClient client = new org.eclipse.jetty.client.HttpClient();
            client.setMaxConnectionsPerDestination(1);
            return new JettyClientHttpRequestFactory(client);
        }
    },

    REACTOR {
        @Override
        ClientHttpRequestFactory factory() {
            return new ReactorClientHttpRequestFactory(new NettyConnectionWatch().apply(reactor()));
        }
    },

    SIMPLE {
        @Override
        ClientHttpRequestFactory factory() {
            return new SimpleClientHttpRequestFactory();
        }
    };

    abstract ClientHttpRequestFactory factory();

    boolean hasPool() {
        return this == HC5 || this == JETTY || this == REACTOR;
    }

    static reactor.netty.http.client.HttpClient reactor() {
        return reactor.netty.http.client.HttpClient.create(ConnectionProvider.create("one", 1))
                .followRedirect((request, response) -> response.status().code() == 302);
    }
}
