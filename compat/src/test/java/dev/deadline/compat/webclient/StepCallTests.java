package dev.deadline.compat.webclient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.deadline.Deadlines;
import dev.deadline.Reason;
import dev.deadline.StepFailedException;
import dev.deadline.Steps;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Calls inside steps: the step decides, whatever the client threw. */
class StepCallTests {

    private static final Duration TIMEOUT = Duration.ofMillis(250);

    private static final Duration LONG = Duration.ofSeconds(20);

    private static ConfigurableApplicationContext application;

    private static Deadlines deadlines;

    private static WebClient client;

    private FaultServer upstream;

    private Deadlines.Started budget;

    private Steps.Closed step;

    private Steps.Open open;

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
    void begin() {
        this.upstream = new FaultServer();
        this.budget = deadlines.start(Duration.ofSeconds(30));
        Steps steps = application.getBean(Steps.class);
        this.step = steps.closed("closed").timeout(TIMEOUT);
        this.open = steps.open("open").timeout(TIMEOUT);
    }

    @AfterEach
    void end() throws IOException {
        this.budget.close();
        this.upstream.close();
    }

    private void renewUpstream() throws IOException {
        this.upstream.close();
        this.upstream = new FaultServer();
    }

    /** Makes the call until the upstream has heard of it before its time was up. */
    private void timesOut(ThrowingCallable call) {
        timesOut(1, call);
    }

    private void timesOut(int requests, ThrowingCallable call) {
        Repeated.until(() -> {
            renewUpstream();
            assertTimeout(catchThrowableOfType(StepFailedException.class, call));
            return this.upstream.requests().size() == requests;
        });
    }

    private Mono<String> get(String path) {
        return client.get().uri(this.upstream.url(path)).retrieve().bodyToMono(String.class);
    }

    private static void assertTimeout(StepFailedException failure) {
        assertThat(failure).isNotNull();
        assertThat(failure.reason()).isEqualTo(Reason.UPSTREAM_TIMEOUT);
        assertThat(failure.waited()).isBetween(TIMEOUT.minusMillis(5), TIMEOUT.plusSeconds(1));
        assertThat(failure.clamped()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/silent", "/drip", "/drip-fixed"})
    void stopsBlockingCallAndClosesConnection(String path) throws Exception {
        timesOut(() -> this.step.call(() -> get(path).block()));

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        this.upstream.awaitAllClosed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/silent", "/drip", "/drip-fixed"})
    void stopsMonoAndClosesConnection(String path) throws Exception {
        timesOut(() -> this.step.call(() -> get(path)).block());

        this.upstream.awaitAllClosed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/silent", "/drip", "/drip-fixed"})
    void stopsFluxAndClosesConnection(String path) throws Exception {
        timesOut(() -> {
            Flux<byte[]> flux = this.step.call(
                    () -> client.get().uri(this.upstream.url(path)).retrieve().bodyToFlux(byte[].class));
            flux.count().block();
        });

        this.upstream.awaitAllClosed();
    }

    /** C29: the whole work is timed, not its creation, and it is stopped. */
    @ParameterizedTest
    @ValueSource(strings = {"/silent", "/drip", "/drip-fixed"})
    void stopsFutureAndClosesConnection(String path) throws Exception {
        timesOut(() -> {
            CompletableFuture<String> future = this.step.call(() -> get(path).toFuture());
            throw catchThrowableOfType(ExecutionException.class, () -> future.get(10, TimeUnit.SECONDS))
                    .getCause();
        });

        this.upstream.awaitAllClosed();
    }

    @Test
    void answersWithFallback() throws Exception {
        Repeated.until(() -> {
            renewUpstream();
            Mono<String> answer = this.open.call(
                    () -> get("/silent"), failure -> Mono.just(failure.reason().code()));
            assertThat(answer.block()).isEqualTo("upstream_timeout");
            return !this.upstream.requests().isEmpty();
        });
        this.upstream.awaitAllClosed();
    }

    /** A call in the middle of a chain runs on a thread that has no deadline. */
    @Test
    void stopsSecondCallOfAChain() throws Exception {
        timesOut(
                2,
                () -> this.step
                        .call(() -> get("/ok").flatMap(first -> get("/silent")))
                        .block());

        this.upstream.awaitAllClosed();
        assertThat(this.upstream.requests())
                .allSatisfy(request -> assertThat(request.header("X-Deadline-Remaining-Ms"))
                        .singleElement()
                        .satisfies(value -> assertThat(Integer.parseInt(value)).isBetween(1, 250)));
    }

    @Test
    void startsItsTimeAtEverySubscription() {
        Repeated.until(() -> {
            renewUpstream();
            Mono<String> kept = this.open.call(() -> get("/silent"), failure -> Mono.just("fallback"));

            assertThat(kept.block()).isEqualTo("fallback");
            assertThat(kept.block()).isEqualTo("fallback");
            return this.upstream.requests().size() == 2;
        });
    }

    @Test
    void readsExpiredUpstreamAsTimeout() {
        StepFailedException failure = catchThrowableOfType(
                StepFailedException.class,
                () -> this.step.timeout(LONG).call(() -> get("/expired").block()));

        assertThat(failure.reason()).isEqualTo(Reason.UPSTREAM_TIMEOUT);
    }

    @Test
    void readsOtherErrorStatusAsError() {
        StepFailedException failure = catchThrowableOfType(
                StepFailedException.class,
                () -> this.step.timeout(LONG).call(() -> get("/unavailable").block()));

        assertThat(failure.reason()).isEqualTo(Reason.UPSTREAM_ERROR);
    }

    /** Whoever interrupts the thread from elsewhere still has the flag afterwards, and no time ran out. */
    @Test
    void leavesForeignInterruptAlone() {
        Thread.currentThread().interrupt();
        try {
            catchThrowableOfType(
                    RuntimeException.class,
                    () -> this.step.call(() -> get("/silent").block()));
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void boundsTheFallbackByTheRequest() {
        this.budget.close();
        this.budget = deadlines.start(Duration.ofMillis(500));
        Mono<String> answer = this.open.call(() -> get("/silent"), failure -> get("/drip"));

        StepFailedException failure = catchThrowableOfType(StepFailedException.class, answer::block);

        assertThat(failure.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED);
    }
}
