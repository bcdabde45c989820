package dev.deadline.compat.restclient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.deadline.DeadlineExceededException;
import dev.deadline.Deadlines;
import dev.deadline.compat.webclient.FaultServer;
import dev.deadline.compat.webclient.WebClientApplication;
import dev.deadline.http.BlockingClients;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.client.RestClient;

/** C14: a connection that was cut in a body is not used again, so nobody reads what was left of it. */
class CutConnectionTests {

    /** 200 with all five clients. */
    private static final int CUTS = 40;

    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() {
        application = WebClientApplication.start();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @ParameterizedTest
    @EnumSource
    void isNotUsedAgain(BlockingClient kind) throws IOException {
        RestClient client = RestClient.builder()
                .requestFactory(application.getBean(BlockingClients.class).bound(kind.factory()))
                .build();
        try (FaultServer upstream = new FaultServer()) {
            client.get().uri(upstream.url("/ok")).retrieve().body(String.class);
            for (int cut = 0; cut < CUTS; cut++) {
                String path = "/half/" + cut;
                try (Deadlines.Started started =
                        application.getBean(Deadlines.class).start(Duration.ofMillis(15))) {
                    assertThatExceptionOfType(DeadlineExceededException.class)
                            .isThrownBy(() -> client.get()
                                    .uri(upstream.url(path))
                                    .retrieve()
                                    .body(byte[].class));
                }
                String answer = client.get()
                        .uri(upstream.url("/echo/" + cut))
                        .retrieve()
                        .body(String.class);
                assertThat(answer).isEqualTo("/echo/" + cut);
            }
        }
    }
}
