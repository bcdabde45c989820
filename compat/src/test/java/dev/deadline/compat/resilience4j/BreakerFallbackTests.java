package dev.deadline.compat.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.deadline.DeadlineExceededException;
import dev.deadline.Deadlines;
import dev.deadline.Reason;
import dev.deadline.StepFailedException;
import dev.deadline.Steps;
import dev.deadline.compat.webclient.FaultServer;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/** Fallback methods of breakers answer for failures of the upstream, and never for the end of the request's time. */
class BreakerFallbackTests {

    private static final Duration TIME = Duration.ofMillis(100);

    private static final Duration LONG = Duration.ofSeconds(30);

    private static ConfigurableApplicationContext application;

    private static BreakerFallbackCalls calls;

    private FaultServer upstream;

    /** Whether the call is in a step, and whether that has a timeout which is not the first to be over. */
    enum Around {
        NOTHING,
        STEP,
        STEP_WITH_TIMEOUT
    }

    @BeforeAll
    static void start() throws IOException {
        application = BreakerApplication.start();
        calls = application.getBean(BreakerFallbackCalls.class);
        try (FaultServer warm = new FaultServer()) {
            for (CallForm form : CallForm.values()) {
                catchThrowable(() -> call(form, Around.NOTHING, work(warm.url("/ok"))));
            }
        }
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void begin() {
        this.upstream = new FaultServer();
        application
                .getBean(CircuitBreakerRegistry.class)
                .circuitBreaker("with-fallback")
                .reset();
        calls.takeFallbacks();
    }

    @AfterEach
    void end() throws IOException {
        this.upstream.close();
    }

    private static BreakerWork work(String url) {
        return new ClientWork(
                application.getBean(RestClient.Builder.class).build(),
                application.getBean(WebClient.Builder.class).build(),
                url);
    }

    private static Object call(CallForm form, Around around, BreakerWork work) throws Exception {
        return GuardedCalls.awaited(begin(form, around, work));
    }

    private static Object begin(CallForm form, Around around, BreakerWork work) throws Exception {
        Steps.Closed step = application.getBean(Steps.class).closed("around");
        Steps.Work<Object, Exception> guarded = () -> BreakerCalls.call(calls, form, "", work);
        return switch (around) {
            case NOTHING -> guarded.run();
            case STEP -> step.call(guarded);
            case STEP_WITH_TIMEOUT -> step.timeout(LONG).call(guarded);
        };
    }

    private static Deadlines.Started deadline(Duration budget) {
        return application.getBean(Deadlines.class).start(budget);
    }

    private static void assertThatItEndedAs(Throwable failure, Reason... reasons) {
        Reason reason = (failure instanceof StepFailedException step)
                ? step.reason()
                : ((DeadlineExceededException) failure).reason();
        assertThat(reason).isIn((Object[]) reasons);
        assertThat(calls.takeFallbacks()).isZero();
    }

    static Stream<Arguments> forms() {
        return Stream.of(CallForm.values())
                .flatMap(form -> Stream.of(Around.values()).map(around -> Arguments.of(form, around)));
    }

    @ParameterizedTest
    @MethodSource("forms")
    void answersForServerError(CallForm form, Around around) throws Exception {
        try (Deadlines.Started started = deadline(LONG)) {
            Object answer = call(form, around, work(this.upstream.url("/unavailable")));

            assertThat(answer).isEqualTo((form == CallForm.FLUX) ? List.of("fallback") : "fallback");
            assertThat(calls.takeFallbacks()).isOne();
        }
    }

    @ParameterizedTest
    @MethodSource("forms")
    void doesNotAnswerForTheEndOfTheRequestsTime(CallForm form, Around around) {
        try (Deadlines.Started started = deadline(TIME)) {
            Throwable failure = catchThrowable(() -> call(form, around, work(this.upstream.url("/silent"))));

            assertThatItEndedAs(failure, Reason.BUDGET_EXHAUSTED, Reason.UPSTREAM_TIMEOUT);
        }
    }

    @ParameterizedTest
    @MethodSource("forms")
    void doesNotAnswerToNobody(CallForm form, Around around) {
        try (Deadlines.Started started = deadline(LONG)) {
            Scope request = DeadlineEngine.currentScope();
            CompletableFuture.runAsync(() -> {
                await().pollInterval(Duration.ofMillis(2))
                        .until(() -> !this.upstream.requests().isEmpty());
                request.cancel(Reason.CLIENT_ABORT);
            });

            Throwable failure = catchThrowable(() -> call(form, around, work(this.upstream.url("/silent"))));

            assertThatItEndedAs(failure, Reason.CLIENT_ABORT);
        }
    }

    @ParameterizedTest
    @EnumSource(Around.class)
    void whoCancelsAStageEndsTheCall(Around around) throws Exception {
        CircuitBreaker breaker =
                application.getBean(CircuitBreakerRegistry.class).circuitBreaker("with-fallback");
        breaker.transitionToOpenState();
        breaker.transitionToHalfOpenState();
        EndlessWork work = new EndlessWork();
        try (Deadlines.Started started = deadline(LONG)) {
            CompletionStage<?> stage = (CompletionStage<?>) begin(CallForm.STAGE, around, work);

            stage.toCompletableFuture().cancel(true);

            assertThat(work.givenUp().await(10, TimeUnit.SECONDS)).isTrue();
        }
        for (int permit = 0; permit < BreakerApplication.PERMITTED; permit++) {
            await().pollDelay(Duration.ZERO).until(breaker::tryAcquirePermission);
        }
        assertThat(calls.takeFallbacks()).isZero();
    }

    /** There is time left for an answer. */
    @ParameterizedTest
    @EnumSource(CallForm.class)
    void answersForTimeoutOfStepFurtherIn(CallForm form) throws Exception {
        Steps.Closed inner =
                application.getBean(Steps.class).closed("further-in").timeout(TIME);
        try (Deadlines.Started started = deadline(LONG)) {
            call(form, Around.NOTHING, new SteppedWork(inner, work(this.upstream.url("/silent"))));

            assertThat(calls.takeFallbacks()).isOne();
        }
    }

    /** Without any deadline everything is as Resilience4j has it. */
    @ParameterizedTest
    @EnumSource(CallForm.class)
    void answersForEverythingWithoutDeadline(CallForm form) throws Exception {
        call(form, Around.NOTHING, new FailingWork(new IOException("reset")));

        assertThat(calls.takeFallbacks()).isOne();
    }
}
