package dev.deadline.sample;

import dev.deadline.sample.upstream.FaultServer;
import java.util.Map;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.web.reactive.function.client.WebClient;

/** The client of the upstreams. */
@Configuration(proxyBeanMethods = false)
class UpstreamClient {

    private static final ParameterizedTypeReference<Map<String, Object>> ANY_JSON =
            new ParameterizedTypeReference<>() {};

    @Bean
    WebClient upstreams(WebClient.Builder builder, FaultServer server) {
        return builder.baseUrl("http://127.0.0.1:" + server.port()).build();
    }

    /** The first call of a client takes long: it is made before the first visitor comes, who has little time. */
    @Bean
    SmartInitializingSingleton upstreamsAreWarm(WebClient upstreams) {
        return () ->
                upstreams.get().uri("/stats").retrieve().bodyToMono(ANY_JSON).block();
    }
}
