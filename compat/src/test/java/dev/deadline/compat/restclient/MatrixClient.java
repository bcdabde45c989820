package dev.deadline.compat.restclient;

import dev.deadline.http.BlockingClients;
import dev.deadline.http.DeadlineExchangeFilter;
import dev.deadline.http.NettyConnectionWatch;
import java.util.function.Consumer;
import org.springframework.context.ApplicationContext;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/** The clients of the matrix. */
enum MatrixClient {
    JDK(BlockingClient.JDK),
    HC5(BlockingClient.HC5),
    JETTY(BlockingClient.JETTY),
    REACTOR(BlockingClient.REACTOR),
    SIMPLE(BlockingClient.SIMPLE),
    WEBCLIENT(null);

    private final BlockingClient blocking;

    MatrixClient(BlockingClient blocking) {
        this.blocking = blocking;
    }

    String label() {
        return switch (this) {
            case JDK -> "JDK";
            case HC5 -> "Apache HC5";
            case JETTY -> "Jetty";
            case REACTOR -> "Reactor";
            case SIMPLE -> "Simple";
            case WEBCLIENT -> "WebClient";
        };
    }

    boolean hasPool() {
        return this.blocking == null || this.blocking.hasPool();
    }

    /** A new client of this kind; what it returns makes one call and reads its answer. */
    Consumer<String> open(ApplicationContext application) {
        if (this.blocking == null) {
            WebClient client = WebClient.builder()
                    .clientConnector(
                            new ReactorClientHttpConnector(new NettyConnectionWatch().apply(BlockingClient.reactor())))
                    .apply(application.getBean(DeadlineExchangeFilter.class)::addTo)
                    .build();
            return url ->
                    client.get().uri(url).retrieve().bodyToMono(String.class).block();
        }
        RestClient client = RestClient.builder()
                .requestFactory(application.getBean(BlockingClients.class).bound(this.blocking.factory()))
                .build();
        return url -> client.get().uri(url).retrieve().body(String.class);
    }
}
