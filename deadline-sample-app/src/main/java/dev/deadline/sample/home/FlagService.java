package dev.deadline.sample.home;

import dev.deadline.OnTimeout;
import dev.deadline.Step;
import dev.deadline.sample.upstream.Behaviour;
import io.github.resilience4j.circuitbreaker.annotation.CircuitBreaker;
import io.github.resilience4j.retry.annotation.Retry;
import java.util.Map;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.stereotype.Service;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Knows which features a user sees. The page does without. Asked again when the upstream fails, as long as that fits into
 * the time of the step, and not at all while its breaker is open.
 */
@Service
public class FlagService {

    private static final ParameterizedTypeReference<Map<String, Boolean>> FLAGS = new ParameterizedTypeReference<>() {};

    private final WebClient upstreams;

    FlagService(WebClient upstreams) {
        this.upstreams = upstreams;
    }

    @Step(name = "flags", onTimeout = OnTimeout.OPEN, timeout = "250ms", fallback = "noFlags")
    @Retry(name = "flags")
    @CircuitBreaker(name = "flags")
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
