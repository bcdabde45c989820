package dev.deadline.compat.step;

import static dev.deadline.OnTimeout.CLOSED;
import static dev.deadline.OnTimeout.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.deadline.Reason;
import dev.deadline.Step;
import dev.deadline.StepFailedException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** C29: annotated methods whose result comes after they have returned. */
class StepDeferredTests {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private static ConfigurableApplicationContext context;

    private final Offers offers = context.getBean(Offers.class);

    @BeforeAll
    static void start() {
        context = new SpringApplicationBuilder(App.class)
                .web(WebApplicationType.NONE)
                .run("--spring.main.banner-mode=off");
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @Test
    void completesAStageWithTheFallbackAndCancelsTheWork() throws Exception {
        assertThat(this.offers.stage().get(20, TimeUnit.SECONDS)).isEqualTo("fallback");
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(this.offers.stageWork()).isCancelled());
    }

    @Test
    void completesAStageWithItsNaturalEmptyValue() throws Exception {
        assertThat(this.offers.emptyStage().get(20, TimeUnit.SECONDS)).isEmpty();
    }

    @Test
    void failsTheStageOfAClosedStep() {
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> this.offers.closedStage().get(20, TimeUnit.SECONDS))
                .withCauseInstanceOf(StepFailedException.class);
    }

    @Test
    void boundsAnAsynchronousMethod() throws Exception {
        try {
            assertThat(this.offers.asynchronous().get(20, TimeUnit.SECONDS)).isEqualTo("fallback");
        } finally {
            this.offers.release();
        }
    }

    @Test
    void emitsTheFallbackOfAMonoForEachSubscription() {
        Mono<String> mono = this.offers.mono();
        assertThat(mono.block(LIMIT)).isEqualTo("upstream_timeout");
        assertThat(mono.block(LIMIT)).isEqualTo("upstream_timeout");
        assertThat(this.offers.cancelled()).isEqualTo(2);
    }

    @Test
    void emitsAnEmptyListSoThatAZipGoesOn() {
        Object offers = this.offers
                .monoOfList()
                .zipWith(Mono.just("rest"))
                .map(both -> both.getT1())
                .block(LIMIT);
        assertThat(offers).isEqualTo(List.of());
    }

    @Test
    void endsAFluxThatDoesNotGoOn() {
        assertThatExceptionOfType(StepFailedException.class)
                .isThrownBy(() -> this.offers.flux().collectList().block(LIMIT))
                .satisfies(failure -> assertThat(failure.reason()).isEqualTo(Reason.UPSTREAM_TIMEOUT));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableAsync
    static class App {

        @Bean
        Offers offers() {
            return new Offers();
        }
    }

    static class Offers {

        private final CompletableFuture<String> stageWork = new CompletableFuture<>();

        private final CountDownLatch released = new CountDownLatch(1);

        private final AtomicInteger cancelled = new AtomicInteger();

        public CompletableFuture<String> stageWork() {
            return this.stageWork;
        }

        public void release() {
            this.released.countDown();
        }

        public int cancelled() {
            return this.cancelled.get();
        }

        @Step(name = "stage", onTimeout = OPEN, timeout = "50ms", fallback = "noStage")
        public CompletableFuture<String> stage() {
            return this.stageWork;
        }

        @Async
        @Step(name = "asynchronous", onTimeout = OPEN, timeout = "50ms", fallback = "noStage")
        public CompletableFuture<String> asynchronous() throws InterruptedException {
            this.released.await();
            return CompletableFuture.completedFuture("too late");
        }

        private CompletableFuture<String> noStage() {
            return CompletableFuture.completedFuture("fallback");
        }

        @Step(name = "emptyStage", onTimeout = OPEN, timeout = "50ms")
        public CompletableFuture<List<String>> emptyStage() {
            return new CompletableFuture<>();
        }

        @Step(name = "closedStage", onTimeout = CLOSED, timeout = "50ms")
        public CompletableFuture<String> closedStage() {
            return new CompletableFuture<>();
        }

        @Step(name = "mono", onTimeout = OPEN, timeout = "50ms", fallback = "noMono")
        public Mono<String> mono() {
            return Mono.<String>never().doOnCancel(this.cancelled::incrementAndGet);
        }

        private Mono<String> noMono(StepFailedException failure) {
            return Mono.just(failure.reason().code());
        }

        @Step(name = "monoOfList", onTimeout = OPEN, timeout = "50ms")
        public Mono<List<String>> monoOfList() {
            return Mono.never();
        }

        @Step(name = "flux", onTimeout = CLOSED, timeout = "50ms")
        public Flux<String> flux() {
            return Flux.just("first").concatWith(Flux.never());
        }
    }
}
