package dev.deadline.compat.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.Deadline;
import dev.deadline.Deadlines;
import dev.deadline.compat.webclient.FaultServer;
import dev.deadline.compat.webclient.WebClientApplication;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ContextSnapshotFactory;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;

/** Two calls in one chain outside a step: the second is described and made on a thread of the client. */
class ReactorPropagationTests {

    private FaultServer upstream;

    @BeforeEach
    void startUpstream() {
        this.upstream = new FaultServer();
    }

    @AfterEach
    void stopUpstream() throws IOException {
        this.upstream.close();
        Hooks.disableAutomaticContextPropagation();
    }

    private List<Boolean> bounded(ConfigurableApplicationContext application, boolean captured) {
        WebClient client = application.getBean(WebClient.Builder.class).build();
        Mono<String> first =
                client.get().uri(this.upstream.url("/ok")).retrieve().bodyToMono(String.class);
        Mono<String> chain = first.flatMap(
                answer -> client.get().uri(this.upstream.url("/ok")).retrieve().bodyToMono(String.class));
        try (Deadlines.Started started = application.getBean(Deadlines.class).start(Duration.ofSeconds(60))) {
            (captured ? chain.contextCapture() : chain).block();
        }
        return this.upstream.requests().stream()
                .map(request -> !request.header("X-Deadline-Remaining-Ms").isEmpty())
                .toList();
    }

    @Test
    void reachesOnlyTheFirstCallWhenLimited() {
        try (ConfigurableApplicationContext application =
                WebClientApplication.start("spring.reactor.context-propagation=limited")) {
            assertThat(bounded(application, false)).containsExactly(true, false);
        }
    }

    @Test
    void reachesEveryCallOfACapturedContext() {
        try (ConfigurableApplicationContext application = WebClientApplication.start()) {
            assertThat(bounded(application, true)).containsExactly(true, true);
        }
    }

    @Test
    void reachesEveryCallWhenAutomatic() {
        try (ConfigurableApplicationContext application =
                WebClientApplication.start("spring.reactor.context-propagation=auto")) {
            assertThat(bounded(application, false)).containsExactly(true, true);
            assertThat(Deadline.current()).isSameAs(Deadline.none());
        }
    }

    @Test
    void knowsTheDeadlineOnlyWhileAnApplicationRuns() {
        try (ConfigurableApplicationContext disabled = WebClientApplication.start("deadline.enabled=false")) {
            assertThat(isRegistered()).isFalse();
            try (ConfigurableApplicationContext application = WebClientApplication.start()) {
                assertThat(isRegistered()).isTrue();
            }
            assertThat(isRegistered()).isFalse();
            assertThat(ContextSnapshotFactory.builder().build().captureAll().toString())
                    .doesNotContain("dev.deadline");
        }
    }

    private static boolean isRegistered() {
        return ContextRegistry.getInstance().getThreadLocalAccessors().stream()
                .anyMatch(accessor -> accessor.key().equals("dev.deadline"));
    }
}
