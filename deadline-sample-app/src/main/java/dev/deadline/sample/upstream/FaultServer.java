package dev.deadline.sample.upstream;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.reactivestreams.Publisher;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.http.server.HttpServerRoutes;
import reactor.netty.resources.LoopResources;

/**
 * The four upstreams of the page, {@code /revocation}, {@code /flags}, {@code /geo} and {@code /catalog}. Each call
 * says in its parameter {@code behaviour} how it wants to be answered. {@code /stats} tells what became of the calls,
 * above all how many clients closed their connection before the answer was complete.
 */
@Component
public class FaultServer implements AutoCloseable {

    private static final Duration BETWEEN_DRIPS = Duration.ofMillis(100);

    private static final Map<String, String> ANSWERS = Map.of(
            "revocation",
            "{\"revoked\":false}",
            "flags",
            "{\"new-checkout\":true,\"dark-mode\":false}",
            "geo",
            "{\"country\":\"NO\",\"city\":\"Bergen\"}",
            "catalog",
            "[{\"name\":\"Kettle\",\"price\":39},{\"name\":\"Lantern\",\"price\":24}]");

    private final Map<String, Traffic> traffic = new TreeMap<>();

    // A thread of its own, as if it were another process.
    private final LoopResources threads = LoopResources.create("upstream", 1, true);

    private final DisposableServer server;

    /**
     * Opens the server on the loopback interface.
     *
     * @param port 0 for any that is free
     */
    public FaultServer(@Value("${sample.upstream.port}") int port) {
        this.server = HttpServer.create()
                .host("127.0.0.1")
                .port(port)
                .runOn(this.threads)
                .route(this::routes)
                .bindNow();
    }

    /** The port it listens on. */
    public int port() {
        return this.server.port();
    }

    @Override
    public void close() {
        this.server.disposeNow();
        this.threads.dispose();
    }

    private void routes(HttpServerRoutes routes) {
        ANSWERS.forEach((name, answer) -> {
            Traffic counts = new Traffic();
            this.traffic.put(name, counts);
            routes.get("/" + name, (request, response) -> serve(request, response, answer, counts));
        });
        routes.get("/stats", (request, response) -> json(response, Mono.just(stats())));
    }

    private String stats() {
        return this.traffic.entrySet().stream()
                .map(entry -> "\"" + entry.getKey() + "\":" + entry.getValue().toJson())
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static Mono<Void> serve(
            HttpServerRequest request, HttpServerResponse response, String answer, Traffic counts) {
        Behaviour behaviour;
        try {
            behaviour = behaviourIn(request);
        } catch (IllegalArgumentException ex) {
            return response.status(HttpResponseStatus.BAD_REQUEST).send().then();
        }
        counts.started();
        if (behaviour.kind() == Behaviour.Kind.REFUSE) {
            counts.ended(SignalType.ON_COMPLETE);
            return Mono.fromRunnable(() ->
                    request.withConnection(connection -> connection.channel().close()));
        }
        if (behaviour.kind() == Behaviour.Kind.ERROR) {
            response.status(HttpResponseStatus.INTERNAL_SERVER_ERROR);
        }
        // The end of the body is observed, for that of the exchange looks the same whether the client left or not.
        return (behaviour.kind() == Behaviour.Kind.DRIP)
                ? json(response, drips().doFinally(counts::ended))
                : json(response, whole(behaviour, answer).doFinally(counts::ended));
    }

    private static Behaviour behaviourIn(HttpServerRequest request) {
        List<String> values = new QueryStringDecoder(request.uri()).parameters().getOrDefault("behaviour", List.of());
        return Behaviour.valueOf(values.isEmpty() ? "ok" : values.get(0));
    }

    private static Mono<String> whole(Behaviour behaviour, String answer) {
        String body = switch (behaviour.kind()) {
            case ERROR -> "{}";
            case REVOKED -> answer.replace("\"revoked\":false", "\"revoked\":true");
            default -> answer;
        };
        // Prompt answers pass through the timer too, or the first slow one would be slower than it should.
        return (behaviour.kind() == Behaviour.Kind.HANG)
                ? Mono.never()
                : Mono.just(body).delayElement(behaviour.delay());
    }

    // Spaces may precede any JSON, so a reader goes on waiting for it.
    private static Flux<String> drips() {
        return Flux.interval(Duration.ZERO, BETWEEN_DRIPS).onBackpressureDrop().map(tick -> " ");
    }

    private static Mono<Void> json(HttpServerResponse response, Publisher<String> body) {
        return response.header(HttpHeaderNames.CONTENT_TYPE, "application/json")
                .sendString(body)
                .then();
    }
}
