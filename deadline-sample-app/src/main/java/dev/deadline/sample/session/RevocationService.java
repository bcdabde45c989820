package dev.deadline.sample.session;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.deadline.OnTimeout;
import dev.deadline.Step;
import dev.deadline.sample.upstream.Behaviour;
import org.springframework.stereotype.Service;
import org.springframework.web.reactive.function.client.WebClient;

/** Knows which sessions were ended early. Without its answer nobody enters. */
@Service
public class RevocationService {

    private final WebClient upstreams;

    RevocationService(WebClient upstreams) {
        this.upstreams = upstreams;
    }

    @Step(name = "revocation", onTimeout = OnTimeout.CLOSED, timeout = "200ms")
    public boolean isRevoked(String user, Behaviour behaviour) {
        Answer answer = this.upstreams
                .get()
                .uri("/revocation?user={user}&behaviour={behaviour}", user, behaviour)
                .retrieve()
                .bodyToMono(Answer.class)
                .block();
        return answer == null || answer.revoked();
    }

    // Required, so that an answer without it is an error and not a "no".
    record Answer(@JsonProperty(required = true) boolean revoked) {}
}
