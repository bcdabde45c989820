package dev.deadline.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;

/** What gate.sh shows. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {"sample.upstream.port=0", "deadline.mode=enforce"})
class GateTests {

    @LocalServerPort
    private int port;

    private List<Answer> ask(int atOnce, int times, String path) {
        ExecutorService clients = Executors.newFixedThreadPool(atOnce);
        try {
            Stream<CompletableFuture<Answer>> asked = IntStream.range(0, times)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> Answer.to(this.port, path), clients));
            return asked.toList().stream()
                    .map(answer -> answer.orTimeout(60, TimeUnit.SECONDS).join())
                    .toList();
        } finally {
            clients.shutdownNow();
        }
    }

    @Test
    void shedsWhatTwentyThreadsCannotDo() {
        await().until(
                        () -> ask(80, 240, "/app/home?catalog=slow:300"),
                        answers -> answers.stream()
                                .anyMatch(answer -> answer.status() == 503
                                        && String.valueOf(answer.header("X-Degraded"))
                                                .startsWith("gate=shed;")));
    }

    @Test
    void turnsAClientAwayThatAsksForTooMuch() {
        await().untilAsserted(() -> assertThat(ask(10, 1000, "/app/assets/home.css"))
                .anySatisfy(answer -> {
                    assertThat(answer.status()).isEqualTo(429);
                    assertThat(answer.header("X-Degraded")).isEqualTo("gate=rate_limited;0");
                    assertThat(answer.header("RateLimit-Policy")).isEqualTo("\"address\";q=400;w=2");
                }));
    }
}
