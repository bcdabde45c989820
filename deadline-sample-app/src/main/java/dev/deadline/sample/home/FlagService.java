package dev.deadline.sample.home;

import dev.deadline.OnTimeout;
import dev.deadline.Step;
import dev.deadline.sample.upstream.Behaviour;
import java.util.Map;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.stereotype.Service;
import org.springframework.web.reactive.function.client.WebClient;

/** Knows which features a user sees. The page does without. */
@Service
public class FlagService {

    private static final ParameterizedTypeReference<Map<String, Boolean>> FLAGS = new ParameterizedTypeReference<>() {};

    private final WebClient upstreams;

    FlagService(WebClient upstreams) {
        this.upstreams = upstreams;
    }

    @Step(name = "flags", onTimeout = OnTimeout.OPEN, timeout = "250ms", fallback = "noFlags")
    public Map<String, Boolean> flagsOf(String user, Behaviour behaviour) {
        return this.upstreams
                .get()
                .uri("/flags?user={user}&behaviour={behaviour}", user, behaviour)
                .retrieve()
                .bodyToMono(FLAGS)
                .block();
    }

    Map<String, Boolean> noFlags(String user, Behaviour behaviour) {
        return Map.of();
    }
}
