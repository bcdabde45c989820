package dev.deadline.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deadline.Steps;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.EngineSettings;
import dev.deadline.engine.EngineSteps;
import dev.deadline.engine.InterruptPolicy;
import dev.deadline.engine.Mode;
import dev.deadline.engine.ModeSwitch;
import dev.deadline.engine.StepRegistry;
import dev.deadline.engine.StepRunner;
import dev.deadline.engine.UpstreamFailures;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

class InterruptedCallTests {

    private static final int CALLS = 40;

    private final AtomicInteger open = new AtomicInteger();

    private final DisposableServer dripping = HttpServer.create()
            .port(0)
            .handle((request, response) -> {
                this.open.incrementAndGet();
                request.withConnection(connection -> connection.onDispose(this.open::decrementAndGet));
                return response.sendString(Flux.interval(Duration.ofMillis(5)).map(tick -> "."));
            })
            .bindNow();

    private final DeadlineEngine engine = DeadlineEngine.start(
            new EngineSettings(0, InterruptPolicy.STEPS, 150_000_000, 4, false),
            new ModeSwitch(Mode.ENFORCE),
            new UpstreamFailures(),
            List.of());

    @AfterEach
    void close() {
        Hooks.resetOnErrorDropped();
        this.engine.close();
        this.dripping.disposeNow();
    }

    @Test
    void tellTheThreadInBlockOnceAndDropNoError() {
        List<Throwable> dropped = new CopyOnWriteArrayList<>();
        Hooks.onErrorDropped(dropped::add);
        Steps steps = new EngineSteps(new StepRegistry(Map.of()), new StepRunner(this.engine, List.of()));
        Steps.Open step = steps.open("dripping").timeout(Duration.ofMillis(40));
        WebClient client = WebClient.builder()
                .baseUrl("http://localhost:" + this.dripping.port())
                .apply(DeadlineExchangeFilter.create()::addTo)
                .build();

        for (int call = 0; call < CALLS; call++) {
            String answer = step.call(
                    () -> client.get().retrieve().bodyToMono(String.class).block(),
                    failure -> failure.reason().code());
            assertThat(answer).isEqualTo("upstream_timeout");
        }

        await().untilAsserted(() -> assertThat(this.open).hasValue(0));
        assertThat(dropped).isEmpty();
    }
}
