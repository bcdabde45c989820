package dev.deadline.compat.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.deadline.DeadlineExceededException;
import dev.deadline.Deadlines;
import dev.deadline.Outcome;
import dev.deadline.Reason;
import dev.deadline.StepFailedException;
import dev.deadline.Steps;
import dev.deadline.compat.webclient.FaultServer;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Mode;
import dev.deadline.engine.RequestAnswer;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;

/** What a breaker counts, for every way in which a call under a deadline ends. */
class BreakerTableTests {

    private static final Duration TIME = Duration.ofMillis(80);

    private static final Duration LONG = Duration.ofSeconds(30);

    private static ConfigurableApplicationContext application;

    private static ConfigurableApplicationContext countingClamped;

    private static FaultServer upstream;

    /** Whose time a call has. */
    enum Bound {

        /** That of a step around it. */
        STEP,

        /** That of the step that the method is. */
        ANNOTATED_STEP,

        /** That of the request, in a step without a timeout. */
        STEP_WITHOUT_TIMEOUT,

        /** That of the request, without a step. */
        REQUEST
    }

    /** What a call is of. */
    enum Upstream {
        CLIENT,
        OWN_WORK,
        OWN_WORK_AFTER_ELEMENT,
        OWN_WORK_ANSWERING_LATE
    }

    /** How a call ends. */
    enum Ending {
        FULL_TIMEOUT,
        CLAMPED_TIMEOUT,
        CLIENT_ABORT,
        SERVER_ERROR,
        BUSINESS_EXCEPTION,
        IGNORED_EXCEPTION
    }

    /** What a breaker makes of it. */
    enum Counted {

        /** One failure, and an event that says so. */
        AS_FAILURE,

        /** Nothing at all, as if the call had not been made. */
        NOT,

        /** Nothing, with an event, as the user's own list says. */
        IGNORED
    }

    record Row(Ending ending, Bound bound, CallForm form, Upstream upstream, State state, Counted counted) {

        @Override
        public String toString() {
            return "%s in %s, %s of %s, %s: %s"
                    .formatted(this.ending, this.bound, this.form, this.upstream, this.state, this.counted);
        }

        String breaker() {
            if (this.ending == Ending.IGNORED_EXCEPTION) {
                return "ignoring";
            }
            return (this.bound == Bound.STEP) ? "configured" : "on-the-fly";
        }
    }

    static final class OutOfStockException extends RuntimeException {

        private static final long serialVersionUID = 1L;
    }

    @BeforeAll
    static void start() {
        upstream = new FaultServer();
        application = start("deadline.resilience4j.count-clamped-timeouts=false");
        countingClamped = start("deadline.resilience4j.count-clamped-timeouts=true");
    }

    private static ConfigurableApplicationContext start(String property) {
        String instances = "resilience4j.circuitbreaker.instances.";
        ConfigurableApplicationContext started = BreakerApplication.start(
                property,
                instances + "configured.base-config=default",
                instances + "ignoring.base-config=default",
                instances + "ignoring.ignore-exceptions=" + OutOfStockException.class.getName());
        // So that no test pays for the loading of the clients.
        BreakerCalls calls = started.getBean("breakerCalls", BreakerCalls.class);
        BreakerWork answering = clientWork(started, "/ok");
        for (CallForm form : CallForm.values()) {
            catchThrowable(() -> GuardedCalls.awaited(BreakerCalls.call(calls, form, "on-the-fly", answering)));
        }
        return started;
    }

    @AfterAll
    static void stop() throws IOException {
        application.close();
        countingClamped.close();
        upstream.close();
    }

    static Stream<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (Ending ending : Ending.values()) {
            Counted counted = switch (ending) {
                case FULL_TIMEOUT, SERVER_ERROR, BUSINESS_EXCEPTION -> Counted.AS_FAILURE;
                case CLAMPED_TIMEOUT, CLIENT_ABORT -> Counted.NOT;
                case IGNORED_EXCEPTION -> Counted.IGNORED;
            };
            addTo(rows, ending, counted);
        }
        return rows.stream();
    }

    static Stream<Row> rowsWhereClampedTimeoutsCount() {
        List<Row> rows = new ArrayList<>();
        addTo(rows, Ending.CLAMPED_TIMEOUT, Counted.AS_FAILURE);
        addTo(rows, Ending.CLIENT_ABORT, Counted.NOT);
        return rows.stream().filter(row -> row.state() == State.HALF_OPEN && row.bound() != Bound.STEP_WITHOUT_TIMEOUT);
    }

    private static void addTo(List<Row> rows, Ending ending, Counted counted) {
        for (Bound bound : boundsOf(ending)) {
            for (CallForm form : CallForm.values()) {
                for (Upstream of : upstreamsOf(ending, bound, form)) {
                    // A closed breaker has less to tell, so one of the bounds suffices for it.
                    if (bound == Bound.STEP) {
                        rows.add(new Row(ending, bound, form, of, State.CLOSED, counted));
                    }
                    rows.add(new Row(ending, bound, form, of, State.HALF_OPEN, counted));
                }
            }
        }
    }

    private static Set<Bound> boundsOf(Ending ending) {
        return switch (ending) {
            case FULL_TIMEOUT, CLAMPED_TIMEOUT -> EnumSet.allOf(Bound.class);
            case CLIENT_ABORT -> EnumSet.of(Bound.STEP, Bound.REQUEST);
            case SERVER_ERROR, BUSINESS_EXCEPTION, IGNORED_EXCEPTION -> EnumSet.of(Bound.STEP);
        };
    }

    private static Set<Upstream> upstreamsOf(Ending ending, Bound bound, CallForm form) {
        if (ending == Ending.SERVER_ERROR) {
            return EnumSet.of(Upstream.CLIENT);
        }
        if (ending == Ending.BUSINESS_EXCEPTION || ending == Ending.IGNORED_EXCEPTION) {
            return EnumSet.of(Upstream.OWN_WORK);
        }
        if (bound == Bound.REQUEST && form == CallForm.BLOCKING) {
            // Without a step nobody interrupts a thread that calls something else than a client.
            return EnumSet.of(Upstream.CLIENT);
        }
        EnumSet<Upstream> all = EnumSet.of(Upstream.OWN_WORK);
        if (bound == Bound.STEP) {
            all.add(Upstream.CLIENT);
        }
        if (form == CallForm.FLUX) {
            all.add(Upstream.OWN_WORK_AFTER_ELEMENT);
        }
        if (form == CallForm.BLOCKING) {
            all.add(Upstream.OWN_WORK_ANSWERING_LATE);
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("rows")
    void counts(Row row) throws Exception {
        new Run(application, row).check();
    }

    @ParameterizedTest
    @MethodSource("rowsWhereClampedTimeoutsCount")
    void countsClampedTimeoutsIfItIsToldTo(Row row) throws Exception {
        new Run(countingClamped, row).check();
    }

    static Stream<Arguments> deferredForms() {
        return Stream.of(CallForm.STAGE, CallForm.MONO, CallForm.FLUX)
                .flatMap(form -> Stream.of(Arguments.of(form, false), Arguments.of(form, true)));
    }

    /** Nobody waits any more, though there is time: the work is given up, and the permit comes back. */
    @ParameterizedTest
    @MethodSource("deferredForms")
    void countsNothingWhenItsCallerCancels(CallForm form, boolean step) throws Exception {
        Bound bound = step ? Bound.STEP : Bound.REQUEST;
        Run run = new Run(
                application,
                new Row(Ending.CLIENT_ABORT, bound, form, Upstream.OWN_WORK, State.HALF_OPEN, Counted.NOT));
        run.prepare();
        try (Deadlines.Started started = application.getBean(Deadlines.class).start(LONG)) {
            Object result = run.begin();
            if (result instanceof CompletionStage<?> stage) {
                stage.toCompletableFuture().cancel(true);
            } else {
                Flux.from((Publisher<?>) result).subscribe().dispose();
            }

            run.assertThatItWasGivenUp();
            run.assertThatItWasCounted();
        }
    }

    private static BreakerWork clientWork(ConfigurableApplicationContext application, String path) {
        return new ClientWork(
                application.getBean(RestClient.Builder.class).build(),
                application.getBean(WebClient.Builder.class).build(),
                upstream.url(path));
    }

    /** One row, carried out. */
    private static final class Run {

        private final ConfigurableApplicationContext application;

        private final Row row;

        private final CircuitBreaker breaker;

        private final BreakerApplication.Listener listener;

        private final BreakerWork work;

        Run(ConfigurableApplicationContext application, Row row) {
            this.application = application;
            this.row = row;
            this.breaker = application.getBean(CircuitBreakerRegistry.class).circuitBreaker(row.breaker());
            this.listener = application.getBean(BreakerApplication.Listener.class);
            this.work = work();
        }

        private BreakerWork work() {
            return switch (this.row.ending()) {
                case SERVER_ERROR -> clientWork(this.application, "/unavailable");
                case BUSINESS_EXCEPTION, IGNORED_EXCEPTION -> new FailingWork(new OutOfStockException());
                case FULL_TIMEOUT, CLAMPED_TIMEOUT, CLIENT_ABORT ->
                    switch (this.row.upstream()) {
                        case CLIENT -> clientWork(this.application, "/silent");
                        case OWN_WORK -> new EndlessWork();
                        case OWN_WORK_AFTER_ELEMENT -> new EndlessWork.AfterElement();
                        case OWN_WORK_ANSWERING_LATE -> new EndlessWork.Late();
                    };
            };
        }

        void prepare() {
            this.breaker.reset();
            if (this.row.state() == State.HALF_OPEN) {
                this.breaker.transitionToOpenState();
                this.breaker.transitionToHalfOpenState();
            }
            this.listener.heard().clear();
        }

        void check() throws Exception {
            prepare();
            int before = upstream.requests().size();

            Throwable failure = underDeadline(before);

            assertThatItEndedAs(failure);
            assertThat(Thread.interrupted()).isFalse();
            assertThatItWasGivenUp();
            assertThatItWasCounted();
        }

        private void assertThatItWasGivenUp() throws InterruptedException {
            if (this.work instanceof EndlessWork endless) {
                assertThat(endless.givenUp().await(10, TimeUnit.SECONDS)).isTrue();
            }
        }

        private Throwable underDeadline(int before) throws Exception {
            boolean clamped = this.row.ending() == Ending.CLAMPED_TIMEOUT;
            boolean stepHasTimeout = this.row.bound() == Bound.STEP || this.row.bound() == Bound.ANNOTATED_STEP;
            if (clamped && !stepHasTimeout) {
                return inShortenedRequest();
            }
            boolean ends = clamped || this.row.ending() == Ending.FULL_TIMEOUT && !stepHasTimeout;
            try (Deadlines.Started started =
                    this.application.getBean(Deadlines.class).start(ends ? TIME : LONG)) {
                if (this.row.ending() == Ending.CLIENT_ABORT) {
                    abortOnceInside(before);
                }
                return catchThrowable(this::call);
            }
        }

        // As if a header of the caller's had given it less than was configured.
        private Throwable inShortenedRequest() {
            DeadlineEngine engine = this.application.getBean(DeadlineEngine.class);
            Scope request = engine.openRequest(engine.clock().nanoTime(), TIME.toNanos(), 0, Mode.ENFORCE, true);
            try (Section section = engine.bind(request)) {
                return catchThrowable(this::call);
            } finally {
                engine.finishRequest(request, Outcome.FAILED, Reason.BUDGET_EXHAUSTED, RequestAnswer.UNKNOWN);
            }
        }

        // The way that the watch over a request's connection takes.
        private void abortOnceInside(int before) {
            Scope request = DeadlineEngine.currentScope();
            CompletableFuture.runAsync(() -> {
                await().pollInterval(Duration.ofMillis(2)).until(() -> hasBegun(before));
                request.cancel(Reason.CLIENT_ABORT);
            });
        }

        private boolean hasBegun(int before) {
            return (this.work instanceof EndlessWork endless)
                    ? endless.begun().getCount() == 0
                    : upstream.requests().size() > before;
        }

        private void call() throws Exception {
            GuardedCalls.awaited(begin());
        }

        private Object begin() throws Exception {
            Steps steps = this.application.getBean(Steps.class);
            Duration timeout = (this.row.ending() == Ending.FULL_TIMEOUT) ? TIME : LONG;
            return switch (this.row.bound()) {
                case STEP -> steps.closed("around").timeout(timeout).call(this::guarded);
                case STEP_WITHOUT_TIMEOUT -> steps.closed("unlimited").call(this::guarded);
                case ANNOTATED_STEP, REQUEST -> guarded();
            };
        }

        private Object guarded() throws Exception {
            String bean = (this.row.bound() == Bound.ANNOTATED_STEP) ? "breakerCallsOfStep" : "breakerCalls";
            BreakerCalls calls = this.application.getBean(bean, BreakerCalls.class);
            return BreakerCalls.call(calls, this.row.form(), this.row.breaker(), this.work);
        }

        private void assertThatItEndedAs(Throwable failure) {
            switch (this.row.ending()) {
                case FULL_TIMEOUT, CLAMPED_TIMEOUT -> {
                    assertThat(reasonOf(failure)).isIn(Reason.BUDGET_EXHAUSTED, Reason.UPSTREAM_TIMEOUT);
                    assertThat(isClamped(failure)).isEqualTo(this.row.ending() == Ending.CLAMPED_TIMEOUT);
                }
                case CLIENT_ABORT -> assertThat(reasonOf(failure)).isEqualTo(Reason.CLIENT_ABORT);
                case SERVER_ERROR -> assertThat(reasonOf(failure)).isEqualTo(Reason.UPSTREAM_ERROR);
                case BUSINESS_EXCEPTION, IGNORED_EXCEPTION ->
                    assertThat(failure).isInstanceOf(OutOfStockException.class);
            }
        }

        private void assertThatItWasCounted() {
            boolean failed = this.row.counted() == Counted.AS_FAILURE;
            await().pollDelay(Duration.ZERO)
                    .untilAsserted(() -> assertThat(this.breaker.getMetrics().getNumberOfFailedCalls())
                            .isEqualTo(failed ? 1 : 0));
            if (this.row.state() == State.HALF_OPEN) {
                assertThatPermitsAre(BreakerApplication.PERMITTED - (failed ? 1 : 0));
            }
            assertThat(this.breaker.getState()).isEqualTo(this.row.state());
            assertThat(this.breaker.getMetrics().getNumberOfBufferedCalls()).isEqualTo(failed ? 1 : 0);
            assertThat(this.breaker.getMetrics().getNumberOfSuccessfulCalls()).isZero();
            assertThatEventsSaySo();
        }

        private void assertThatPermitsAre(int expected) {
            for (int permit = 0; permit < expected; permit++) {
                await().pollDelay(Duration.ZERO).until(this.breaker::tryAcquirePermission);
            }
            assertThat(this.breaker.tryAcquirePermission()).isFalse();
        }

        private void assertThatEventsSaySo() {
            String type = switch (this.row.counted()) {
                case AS_FAILURE -> "ERROR";
                case IGNORED -> "IGNORED_ERROR";
                case NOT -> null;
            };
            assertThat(this.listener.heard())
                    .extracting(event -> event.getEventType().name())
                    .filteredOn(heard -> !heard.equals("NOT_PERMITTED"))
                    .containsExactlyElementsOf((type != null) ? List.of(type) : List.of());
        }
    }

    private static Reason reasonOf(Throwable failure) {
        if (failure instanceof StepFailedException step) {
            return step.reason();
        }
        assertThat(failure).isInstanceOf(DeadlineExceededException.class);
        return ((DeadlineExceededException) failure).reason();
    }

    private static boolean isClamped(Throwable failure) {
        return (failure instanceof StepFailedException step)
                ? step.clamped()
                : ((DeadlineExceededException) failure).clamped();
    }
}
