package dev.deadline.sample.home;

import dev.deadline.OnTimeout;
import dev.deadline.Step;
import dev.deadline.sample.upstream.Behaviour;
import java.util.Optional;
import org.springframework.stereotype.Service;
import org.springframework.web.reactive.function.client.WebClient;

/** Guesses where a user is. The page does without; the natural fallback of an Optional is an empty one. */
@Service
public class GeoService {

    private final WebClient upstreams;

    GeoService(WebClient upstreams) {
        this.upstreams = upstreams;
    }

    @Step(name = "geo", onTimeout = OnTimeout.OPEN, timeout = "120ms")
    public Optional<Location> locationOf(String user, Behaviour behaviour) {
        return this.upstreams
                .get()
                .uri("/geo?user={user}&behaviour={behaviour}", user, behaviour)
                .retrieve()
                .bodyToMono(Location.class)
                .blockOptional();
    }

    /** A place. */
    public record Location(String country, String city) {}
}
