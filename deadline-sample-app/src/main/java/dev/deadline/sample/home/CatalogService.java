package dev.deadline.sample.home;

import dev.deadline.OnTimeout;
import dev.deadline.Step;
import dev.deadline.sample.upstream.Behaviour;
import java.util.List;
import org.springframework.stereotype.Service;
import org.springframework.web.reactive.function.client.WebClient;

/** Knows what there is to buy. It is what the page is for, so it may use up the time of the request. */
@Service
public class CatalogService {

    private final WebClient upstreams;

    CatalogService(WebClient upstreams) {
        this.upstreams = upstreams;
    }

    @Step(name = "catalog", onTimeout = OnTimeout.CLOSED, essential = true)
    public List<Item> items(Behaviour behaviour) {
        return this.upstreams
                .get()
                .uri("/catalog?behaviour={behaviour}", behaviour)
                .retrieve()
                .bodyToFlux(Item.class)
                .collectList()
                .block();
    }

    /** Something to buy. */
    public record Item(String name, int price) {}
}
