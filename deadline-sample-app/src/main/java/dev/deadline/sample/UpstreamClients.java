package dev.deadline.sample;

import dev.deadline.sample.upstream.FaultServer;
import java.util.Map;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/** The clients of the upstreams: one that may be asked for several things at once, and one that blocks. */
@Configuration(proxyBeanMethods = false)
class UpstreamClients {

    private static final ParameterizedTypeReference<Map<String, Object>> ANY_JSON =
            new ParameterizedTypeReference<>() {};

    @Bean
    WebClient upstreams(WebClient.Builder builder, FaultServer server) {
        return builder.baseUrl("http://127.0.0.1:" + server.port()).build();
    }

    @Bean
    RestClient blockingUpstreams(RestClient.Builder builder, FaultServer server) {
        return builder.baseUrl("http://127.0.0.1:" + server.port()).build();
    }

    /** The first calls of the clients take long: they are made before the first visitor comes, who has little time. */
    @Bean
    SmartInitializingSingleton upstreamsAreWarm(WebClient upstreams, RestClient blockingUpstreams) {
        return () -> {
            upstreams.get().uri("/stats").retrieve().bodyToMono(ANY_JSON).block();
            blockingUpstreams.get().uri("/stats").retrieve().body(ANY_JSON);
        };
    }
}
