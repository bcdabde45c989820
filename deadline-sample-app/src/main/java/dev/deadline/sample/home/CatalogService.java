package dev.deadline.sample.home;

import dev.deadline.OnTimeout;
import dev.deadline.Step;
import dev.deadline.sample.upstream.Behaviour;
import java.util.List;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestClient;

/** Knows what there is to buy. It is what the page is for, so it may use up the time of the request. */
@Service
public class CatalogService {

    private static final ParameterizedTypeReference<List<Item>> ITEMS = new ParameterizedTypeReference<>() {};

    private final RestClient upstreams;

    CatalogService(RestClient blockingUpstreams) {
        this.upstreams = blockingUpstreams;
    }

    @Step(name = "catalog", onTimeout = OnTimeout.CLOSED, essential = true)
    public List<Item> items(Behaviour behaviour) {
        return this.upstreams
                .get()
                .uri("/catalog?behaviour={behaviour}", behaviour)
                .retrieve()
                .body(ITEMS);
    }

    /** Something to buy. */
    public record Item(String name, int price) {}
}
