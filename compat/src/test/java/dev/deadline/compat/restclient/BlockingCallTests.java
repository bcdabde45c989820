package dev.deadline.compat.restclient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.deadline.DeadlineExceededException;
import dev.deadline.Deadlines;
import dev.deadline.Reason;
import dev.deadline.StepFailedException;
import dev.deadline.Steps;
import dev.deadline.compat.webclient.FaultServer;
import dev.deadline.compat.webclient.FullBacklog;
import dev.deadline.compat.webclient.Repeated;
import dev.deadline.compat.webclient.WebClientApplication;
import dev.deadline.http.BlockingClients;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/** Calls of blocking clients end at the deadline, whatever they wait for, and so do their connections. */
class BlockingCallTests {

    private static final Duration BUDGET = Duration.ofMillis(150);

    private static ConfigurableApplicationContext application;

    private static Deadlines deadlines;

    private static BlockingClients clients;

    private FaultServer upstream;

    @BeforeAll
    static void start() {
        application = WebClientApplication.start();
        deadlines = application.getBean(Deadlines.class);
        clients = application.getBean(BlockingClients.class);
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
        assertThat(Thread.interrupted()).isFalse();
    }

    private static RestClient client(BlockingClient kind) {
        RestClient client = RestClient.builder()
                .requestFactory(clients.bound(kind.factory()))
                .build();
        try (FaultServer other = new FaultServer()) {
            client.get().uri(other.url("/ok")).retrieve().body(String.class);
        } catch (IOException ex) {
            throw new IllegalStateException(ex);
        }
        return client;
    }

    private static DeadlineExceededException exceeded(RestClient client, String url) {
        long begin = System.nanoTime();
        try (Deadlines.Started started = deadlines.start(BUDGET)) {
            DeadlineExceededException failure = catchThrowableOfType(
                    DeadlineExceededException.class,
                    () -> client.get().uri(url).retrieve().body(String.class));
            assertThat(failure).isNotNull();
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .isBetween(BUDGET.minusMillis(40), BUDGET.plusSeconds(1));
            assertThat(failure.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED);
            return failure;
        }
    }

    /** Makes the call until its time is up in that phase, each time to an upstream that knows of no other. */
    private void exceededIn(String phase, RestClient client, String path) {
        // Not all clients can tell whether the request has been sent.
        Repeated.until(
                message -> message.contains(phase) && !this.upstream.requests().isEmpty(), () -> {
                    renewUpstream();
                    return exceeded(client, this.upstream.url(path)).getCause().getMessage();
                });
    }

    private void renewUpstream() throws IOException {
        this.upstream.close();
        this.upstream = new FaultServer();
    }

    @ParameterizedTest
    @EnumSource
    void returnsAnswerInsideTheTime(BlockingClient kind) {
        RestClient client = client(kind);
        try (Deadlines.Started started = deadlines.start(Duration.ofSeconds(20))) {
            for (int call = 0; call < 5; call++) {
                assertThat(client.post()
                                .uri(this.upstream.url("/ok"))
                                .body("hello")
                                .retrieve()
                                .body(String.class))
                        .isEqualTo("ok");
            }
        }
        // Not exactly one: Reactor gives a connection back a moment after its answer has been read.
        assertThat(this.upstream.accepted()).isLessThan(5);
        assertThat(this.upstream.requests())
                .allSatisfy(request ->
                        assertThat(request.header("X-Deadline-Remaining-Ms")).hasSize(1));
    }

    @ParameterizedTest
    @EnumSource
    void closesConnectionOfSilentUpstream(BlockingClient kind) throws Exception {
        exceededIn("response", client(kind), "/silent");
        this.upstream.awaitAllClosed();
        assertThat(this.upstream.requests()).hasSize(1);
    }

    /** C05, C10: reading the body is inside the deadline, and at its end the connection is closed, not drained. */
    @ParameterizedTest
    @EnumSource
    void closesConnectionOfStallingBody(BlockingClient kind) throws Exception {
        exceededIn("body", client(kind), "/stall");
        // Before virtual threads nothing gets the JDK's old client out of such a read; it goes on for some seconds.
        if (kind != BlockingClient.SIMPLE || Runtime.version().feature() >= 21) {
            this.upstream.awaitAllClosed();
        }
    }

    /** C05, C10. */
    @ParameterizedTest
    @EnumSource
    void closesConnectionOfDrippingBody(BlockingClient kind) throws Exception {
        exceededIn("body", client(kind), "/drip");
        this.upstream.awaitAllClosed();
    }

    /** C05, C10. */
    @ParameterizedTest
    @EnumSource
    void boundsDrippingBodyOfKnownLength(BlockingClient kind) {
        exceededIn("body", client(kind), "/drip-fixed");
    }

    /** C09. */
    @ParameterizedTest
    @EnumSource
    void closesConnectionInHandshake(BlockingClient kind) throws Exception {
        RestClient client = client(kind);
        try (FaultServer mute = FaultServer.mute()) {
            // The first handshake of all has classes to load.
            Repeated.until(() -> {
                exceeded(client, mute.url("/").replace("http:", "https:"));
                return mute.accepted() > 0;
            });
            mute.awaitAllClosed();
        }
    }

    @ParameterizedTest
    @EnumSource
    void doesNotWaitForTheConnection(BlockingClient kind) throws Exception {
        RestClient client = client(kind);
        try (FullBacklog full = new FullBacklog()) {
            exceeded(client, full.url());
        }
    }

    /** C07. */
    @ParameterizedTest
    @EnumSource
    void boundsRedirectsWithoutEnd(BlockingClient kind) throws Exception {
        RestClient client = client(kind);
        Repeated.until(() -> {
            renewUpstream();
            exceeded(client, this.upstream.url("/redirect-slowly"));
            return this.upstream.requests().size() > 1;
        });
        this.upstream.awaitAllClosed();
        assertThat(this.upstream.requests()).hasSizeBetween(2, 4);
    }

    /** C06: what would become 0 when converted to milliseconds is not given to a client. */
    @ParameterizedTest
    @EnumSource
    void issuesNoCallWhenNothingIsLeft(BlockingClient kind) {
        RestClient client = client(kind);
        try (Deadlines.Started started = deadlines.start(Duration.ofNanos(900_000))) {
            assertThatExceptionOfType(DeadlineExceededException.class)
                    .isThrownBy(() -> client.get()
                            .uri(this.upstream.url("/ok"))
                            .retrieve()
                            .toBodilessEntity());
        }
        assertThat(this.upstream.accepted()).isZero();
    }

    /** C08: a client that retries by itself does not sleep past the deadline on the upstream's advice. */
    @ParameterizedTest
    @EnumSource
    void doesNotSleepOnTheAdviceOfTheUpstream(BlockingClient kind) {
        RestClient client = client(kind);
        Repeated.until(() -> {
            try (Deadlines.Started started = deadlines.start(BUDGET)) {
                long begin = System.nanoTime();
                assertThatExceptionOfType(RuntimeException.class)
                        .isThrownBy(() -> client.get()
                                .uri(this.upstream.url("/retry-later"))
                                .retrieve()
                                .toBodilessEntity());
                assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(BUDGET.plusSeconds(1));
            }
            return !this.upstream.requests().isEmpty();
        });
    }

    @ParameterizedTest
    @EnumSource
    void readsExpiredUpstreamAsTimeoutInsideAStep(BlockingClient kind) {
        RestClient client = client(kind);
        Steps.Closed step = application.getBean(Steps.class).closed("closed").timeout(Duration.ofSeconds(10));
        try (Deadlines.Started started = deadlines.start(Duration.ofSeconds(20))) {
            StepFailedException failure = catchThrowableOfType(
                    StepFailedException.class,
                    () -> step.call(() -> client.get()
                            .uri(this.upstream.url("/expired"))
                            .retrieve()
                            .body(String.class)));

            assertThat(failure.reason()).isEqualTo(Reason.UPSTREAM_TIMEOUT);
        }
    }

    @ParameterizedTest
    @EnumSource
    void endsAtTheTimeOfTheStep(BlockingClient kind) throws Exception {
        RestClient client = client(kind);
        Steps.Open step = application.getBean(Steps.class).open("open").timeout(Duration.ofMillis(120));
        try (Deadlines.Started started = deadlines.start(Duration.ofSeconds(20))) {
            Repeated.until(() -> {
                renewUpstream();
                String answer = step.call(
                        () -> client.get()
                                .uri(this.upstream.url("/drip"))
                                .retrieve()
                                .body(String.class),
                        failure -> failure.reason().code());
                assertThat(answer).isEqualTo("upstream_timeout");
                return !this.upstream.requests().isEmpty();
            });
            this.upstream.awaitAllClosed();
            assertThat(client.get().uri(this.upstream.url("/ok")).retrieve().body(String.class))
                    .isEqualTo("ok");
        }
    }

    @ParameterizedTest
    @EnumSource
    void closesConnectionWhenResponseIsHeldWithoutReadingIt(BlockingClient kind) throws Exception {
        RestClient client = client(kind);
        Repeated.until(() -> {
            renewUpstream();
            try (Deadlines.Started started = deadlines.start(BUDGET)) {
                ClientHttpResponse held =
                        client.get().uri(this.upstream.url("/drip")).exchange((request, response) -> response, false);

                this.upstream.awaitAllClosed();
                assertThatExceptionOfType(DeadlineExceededException.class)
                        .isThrownBy(() -> held.getBody().readAllBytes());
                held.close();
                return true;
            } catch (DeadlineExceededException ex) {
                return hadResponse(ex);
            }
        });
    }

    /** False where the time was up before there was a response; fails where the call was inside its body. */
    private static boolean hadResponse(DeadlineExceededException failure) {
        assertThat(failure.getCause()).message().doesNotContain("body");
        return false;
    }

    /** C10: closing an endless response in time may drain it until the deadline, and no longer. */
    @ParameterizedTest
    @EnumSource
    void doesNotDrainLongerThanTheDeadline(BlockingClient kind) throws Exception {
        RestClient client = client(kind);
        Repeated.until(() -> {
            renewUpstream();
            try (Deadlines.Started started = deadlines.start(BUDGET)) {
                long begin = System.nanoTime();
                client.get().uri(this.upstream.url("/drip")).retrieve().toBodilessEntity();

                assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(BUDGET.plusSeconds(1));
                this.upstream.awaitAllClosed();
                return true;
            } catch (DeadlineExceededException ex) {
                return hadResponse(ex);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void boundsCallsOfTemplates(BlockingClient kind) throws Exception {
        RestTemplate template = new RestTemplate(kind.factory());
        template.getInterceptors().add((request, body, execution) -> execution.execute(request, body));
        clients.bind(template);
        Repeated.until(() -> {
            renewUpstream();
            try (Deadlines.Started started = deadlines.start(BUDGET)) {
                assertThatExceptionOfType(DeadlineExceededException.class)
                        .isThrownBy(() -> template.getForObject(this.upstream.url("/drip"), String.class));
            }
            return !this.upstream.requests().isEmpty();
        });
        this.upstream.awaitAllClosed();
    }

    /** Each attempt of an interceptor has what is left when it begins; none begins when nothing is. */
    @ParameterizedTest
    @EnumSource
    void givesEachAttemptWhatIsLeft(BlockingClient kind) {
        RestClient client = client(kind)
                .mutate()
                .requestInterceptor((request, body, execution) -> {
                    request.getHeaders().set("X-Deadline-Remaining-Ms", "99999999");
                    execution.execute(request, body).close();
                    execution.execute(request, body).close();
                    return execution.execute(request, body);
                })
                .build();
        try (Deadlines.Started started = deadlines.start(Duration.ofSeconds(60))) {
            client.get().uri(this.upstream.url("/ok")).retrieve().toBodilessEntity();
        }
        assertThat(this.upstream.requests())
                .hasSize(3)
                .extracting(request -> Integer.valueOf(String.join(",", request.header("X-Deadline-Remaining-Ms"))))
                .isSortedAccordingTo(Comparator.reverseOrder())
                .allSatisfy(value -> assertThat(value).isBetween(30_000, 60_000));
    }
}
