package dev.deadline.compat.webclient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.deadline.DeadlineExceededException;
import dev.deadline.Deadlines;
import dev.deadline.Reason;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.client.HttpClient;
import reactor.util.retry.Retry;

/** No thread is interrupted here: it is the call itself that ends. */
class BoundedCallTests {

    private static final Duration BUDGET = Duration.ofMillis(300);

    private static ConfigurableApplicationContext application;

    private static Deadlines deadlines;

    private static WebClient client;

    private FaultServer upstream;

    @BeforeAll
    static void start() {
        application = WebClientApplication.start();
        deadlines = application.getBean(Deadlines.class);
        client = application.getBean(WebClient.Builder.class).build();
        FaultServer.warmUp(client);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void startUpstream() {
        this.upstream = new FaultServer();
    }

    @AfterEach
    void stopUpstream() throws IOException {
        this.upstream.close();
    }

    private void renewUpstream() throws IOException {
        this.upstream.close();
        this.upstream = new FaultServer();
    }

    /** Makes the call until the upstream has heard of it before its time was up. */
    private void exceeded(Function<WebClient.ResponseSpec, ?> call, String path) {
        Repeated.until(() -> {
            renewUpstream();
            exceededOnce(call, path);
            return !this.upstream.requests().isEmpty();
        });
    }

    private DeadlineExceededException exceededOnce(Function<WebClient.ResponseSpec, ?> call, String path) {
        long begin = System.nanoTime();
        try (Deadlines.Started started = deadlines.start(BUDGET)) {
            DeadlineExceededException failure = catchThrowableOfType(
                    DeadlineExceededException.class,
                    () -> call.apply(client.get().uri(this.upstream.url(path)).retrieve()));
            assertThat(failure).isNotNull();
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .isBetween(BUDGET.minusMillis(60), BUDGET.plusSeconds(1));
            assertThat(failure.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED);
            return failure;
        }
    }

    @Test
    void returnsAnswerInsideTheTime() {
        try (Deadlines.Started started = deadlines.start(Duration.ofSeconds(20))) {
            String answer = client.get()
                    .uri(this.upstream.url("/ok"))
                    .retrieve()
                    .bodyToMono(String.class)
                    .block();

            assertThat(answer).isEqualTo("ok");
        }
    }

    /** C01: bytes that keep coming do not keep the call alive. */
    @ParameterizedTest
    @ValueSource(strings = {"/silent", "/stall", "/drip", "/drip-fixed"})
    void closesConnectionWhenTimeIsUp(String path) throws InterruptedException {
        String phase = path.equals("/silent") ? "response" : "body";
        Repeated.until(message -> message.contains(phase), () -> {
            renewUpstream();
            return exceededOnce(spec -> spec.bodyToMono(String.class).block(), path)
                    .getCause()
                    .getMessage();
        });
        this.upstream.awaitAllClosed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/silent", "/stall", "/drip", "/drip-fixed"})
    void closesConnectionOfFlux(String path) throws InterruptedException {
        exceeded(spec -> spec.bodyToFlux(byte[].class).count().block(), path);

        this.upstream.awaitAllClosed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/silent", "/stall", "/drip", "/drip-fixed"})
    void closesConnectionOfBodilessEntity(String path) throws InterruptedException {
        exceeded(spec -> spec.toBodilessEntity().block(), path);

        this.upstream.awaitAllClosed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/silent", "/stall", "/drip", "/drip-fixed"})
    void closesConnectionOfExchange(String path) throws InterruptedException {
        Repeated.until(() -> {
            renewUpstream();
            try (Deadlines.Started started = deadlines.start(BUDGET)) {
                assertThatExceptionOfType(DeadlineExceededException.class)
                        .isThrownBy(() -> client.get()
                                .uri(this.upstream.url(path))
                                .exchangeToMono(response -> response.bodyToMono(String.class))
                                .block());
            }
            return !this.upstream.requests().isEmpty();
        });

        this.upstream.awaitAllClosed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/stall", "/drip", "/drip-fixed"})
    void closesConnectionOfEntityWithFluxBody(String path) throws InterruptedException {
        exceeded(
                spec -> {
                    ResponseEntity<Flux<byte[]>> entity =
                            spec.toEntityFlux(byte[].class).block();
                    assertThat(entity).isNotNull();
                    return entity.getBody().count().block();
                },
                path);

        this.upstream.awaitAllClosed();
    }

    @Test
    void closesConnectionWhenResponseIsHeldWithoutReadingIt() {
        Repeated.until(() -> {
            renewUpstream();
            try (Deadlines.Started started = deadlines.start(BUDGET)) {
                CompletableFuture<ClientResponse> held = new CompletableFuture<>();
                client.get()
                        .uri(this.upstream.url("/drip"))
                        .exchangeToMono(response -> {
                            held.complete(response);
                            return Mono.never();
                        })
                        .subscribe(answer -> {}, failure -> held.complete(null));

                ClientResponse response = held.get(5, TimeUnit.SECONDS);
                if (response == null) {
                    return false;
                }
                this.upstream.awaitAllClosed();
                assertThatExceptionOfType(DeadlineExceededException.class)
                        .isThrownBy(() -> response.bodyToMono(String.class).block());
                return true;
            }
        });
    }

    /** C29, C40: the call goes on after the work that began it, and is cut all the same. */
    @Test
    void boundsCallThatNobodyWaitsFor() throws InterruptedException {
        Repeated.until(() -> {
            renewUpstream();
            CompletableFuture<String> answer;
            try (Deadlines.Started started = deadlines.start(BUDGET)) {
                answer = client.get()
                        .uri(this.upstream.url("/drip"))
                        .retrieve()
                        .bodyToMono(String.class)
                        .toFuture();
            }
            assertThat(answer)
                    .failsWithin(Duration.ofSeconds(5))
                    .withThrowableThat()
                    .withCauseInstanceOf(DeadlineExceededException.class);
            return !this.upstream.requests().isEmpty();
        });
        this.upstream.awaitAllClosed();
    }

    /** C41: described here, subscribed to on a thread that knows nothing of the deadline. */
    @Test
    void boundsCallSubscribedOnAnotherThread() throws InterruptedException {
        exceeded(
                spec -> spec.bodyToMono(String.class)
                        .subscribeOn(Schedulers.boundedElastic())
                        .block(),
                "/drip");

        this.upstream.awaitAllClosed();
    }

    /** C38: the deadline of the request in which it was described is over. */
    @Test
    void doesNotBringBackTheDeadlineOfAFormerRequest() {
        Mono<String> kept;
        try (Deadlines.Started started = deadlines.start(Duration.ofMillis(1))) {
            kept = client.get().uri(this.upstream.url("/ok")).retrieve().bodyToMono(String.class);
        }

        assertThat(kept.block()).isEqualTo("ok");
        assertThat(this.upstream.requests().get(0).header("X-Deadline-Remaining-Ms"))
                .isEmpty();
    }

    /** C06: less than a millisecond would become 0, which means "no limit" to some. */
    @Test
    void issuesNoCallWhenNothingIsLeft() {
        try (Deadlines.Started started = deadlines.start(Duration.ofNanos(900_000))) {
            DeadlineExceededException failure = catchThrowableOfType(
                    DeadlineExceededException.class,
                    () -> client.get()
                            .uri(this.upstream.url("/ok"))
                            .retrieve()
                            .toBodilessEntity()
                            .block());

            assertThat(failure.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED);
        }
        assertThat(this.upstream.accepted()).isZero();
    }

    @Test
    void issuesNoFurtherAttemptWhenTimeIsUp() throws InterruptedException {
        exceeded(
                spec -> spec.bodyToMono(String.class)
                        .retryWhen(Retry.max(3))
                        .onErrorMap(Throwable::getCause)
                        .block(),
                "/silent");

        this.upstream.awaitAllClosed();
        assertThat(this.upstream.requests()).hasSize(1);
    }

    /** C07: the whole chain shares one deadline, also a redirect to self without end. */
    @Test
    void boundsRedirectsWithoutEnd() {
        WebClient following = application
                .getBean(WebClient.Builder.class)
                .clientConnector(
                        new ReactorClientHttpConnector(HttpClient.create().followRedirect((request, response) -> true)))
                .build();
        Repeated.until(() -> {
            renewUpstream();
            try (Deadlines.Started started = deadlines.start(BUDGET)) {
                assertThatExceptionOfType(DeadlineExceededException.class)
                        .isThrownBy(() -> following
                                .get()
                                .uri(this.upstream.url("/redirect"))
                                .retrieve()
                                .toBodilessEntity()
                                .block());
            }
            return this.upstream.requests().size() > 2;
        });
        List<FaultServer.Request> requests = this.upstream.requests();
        assertThat(requests)
                .extracting(request -> Integer.valueOf(String.join(",", request.header("X-Deadline-Remaining-Ms"))))
                .isSortedAccordingTo(Comparator.reverseOrder());
    }
}
