package dev.deadline.compat.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.deadline.Deadlines;
import dev.deadline.StepFailedException;
import dev.deadline.Steps;
import dev.deadline.compat.webclient.Repeated;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.circuitbreaker.event.CircuitBreakerEvent;
import io.github.resilience4j.circuitbreaker.event.CircuitBreakerEvent.Type;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.ConfigurableApplicationContext;

/** The user's own lists, predicates and event consumers mean what they mean without this, except that they cannot hide a timeout. */
class BreakerRulesTests {

    private static final Duration TIMEOUT = Duration.ofMillis(100);

    private static final Duration LONG = Duration.ofSeconds(30);

    private static final List<String> BREAKERS = List.of("recording", "ignoring", "judging", "inheriting");

    private static ConfigurableApplicationContext application;

    private static CircuitBreakerRegistry registry;

    private static BreakerCalls calls;

    private static BreakerApplication.Listener listener;

    // Also heard, by consumers at the breakers themselves.
    private static final List<CircuitBreakerEvent> HEARD = new CopyOnWriteArrayList<>();

    /** As {@code record-failure-predicate}. */
    public static final class Grave implements Predicate<Throwable> {

        @Override
        public boolean test(Throwable failure) {
            return "grave".equals(failure.getMessage());
        }
    }

    /** As {@code ignore-exception-predicate}: everything but what is grave or unknown, so timeouts as well. */
    public static final class Harmless implements Predicate<Throwable> {

        @Override
        public boolean test(Throwable failure) {
            return !"grave".equals(failure.getMessage()) && !"unknown".equals(failure.getMessage());
        }
    }

    /** As {@code record-result-predicate}. */
    public static final class Bad implements Predicate<Object> {

        @Override
        public boolean test(Object result) {
            return "bad".equals(result);
        }
    }

    enum Work {
        TIMEOUT,
        IO_EXCEPTION,
        ILLEGAL_STATE,
        GRAVE,
        HARMLESS,
        UNKNOWN,
        BAD_ANSWER,
        GOOD_ANSWER;

        BreakerWork begin() {
            return switch (this) {
                case TIMEOUT -> new EndlessWork();
                case IO_EXCEPTION -> new FailingWork(new IOException("reset"));
                case ILLEGAL_STATE -> new FailingWork(new IllegalStateException("state"));
                case GRAVE -> new FailingWork(new UnsupportedOperationException("grave"));
                case HARMLESS -> new FailingWork(new UncheckedIOException("harmless", new IOException()));
                case UNKNOWN -> new FailingWork(new IllegalStateException("unknown"));
                case BAD_ANSWER -> new AnsweringWork("bad");
                case GOOD_ANSWER -> new AnsweringWork("good");
            };
        }
    }

    record Row(String breaker, Work work, CallForm form, Type heard) {}

    @BeforeAll
    static void start() {
        String recording = "resilience4j.circuitbreaker.instances.recording.";
        String ignoring = "resilience4j.circuitbreaker.instances.ignoring.";
        String judging = "resilience4j.circuitbreaker.instances.judging.";
        String strict = "resilience4j.circuitbreaker.configs.strict.";
        application = BreakerApplication.start(
                recording + "record-exceptions=java.io.IOException",
                ignoring + "ignore-exceptions=java.lang.RuntimeException",
                judging + "record-failure-predicate=" + Grave.class.getName(),
                judging + "ignore-exception-predicate=" + Harmless.class.getName(),
                judging + "record-result-predicate=" + Bad.class.getName(),
                strict + "record-exceptions=java.io.IOException",
                strict + "ignore-exceptions=java.lang.RuntimeException",
                "resilience4j.circuitbreaker.instances.inheriting.base-config=strict");
        registry = application.getBean(CircuitBreakerRegistry.class);
        calls = application.getBean("breakerCalls", BreakerCalls.class);
        listener = application.getBean(BreakerApplication.Listener.class);
        for (String name : BREAKERS) {
            BreakerApplication.Listener.listenTo(registry.circuitBreaker(name), HEARD);
        }
        for (CallForm form : CallForm.values()) {
            catchThrowable(() -> call(form, "warm", new AnsweringWork("good"), LONG));
        }
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void begin() {
        BREAKERS.forEach(name -> registry.circuitBreaker(name).reset());
        listener.heard().clear();
        HEARD.clear();
    }

    static Stream<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (CallForm form : CallForm.values()) {
            rows.add(new Row("recording", Work.TIMEOUT, form, Type.ERROR));
            rows.add(new Row("recording", Work.IO_EXCEPTION, form, Type.ERROR));
            rows.add(new Row("recording", Work.ILLEGAL_STATE, form, Type.SUCCESS));
            rows.add(new Row("ignoring", Work.TIMEOUT, form, Type.ERROR));
            rows.add(new Row("ignoring", Work.IO_EXCEPTION, form, Type.ERROR));
            rows.add(new Row("ignoring", Work.ILLEGAL_STATE, form, Type.IGNORED_ERROR));
            rows.add(new Row("inheriting", Work.TIMEOUT, form, Type.ERROR));
            rows.add(new Row("inheriting", Work.IO_EXCEPTION, form, Type.ERROR));
            rows.add(new Row("inheriting", Work.ILLEGAL_STATE, form, Type.IGNORED_ERROR));
            rows.add(new Row("judging", Work.TIMEOUT, form, Type.ERROR));
            rows.add(new Row("judging", Work.GRAVE, form, Type.ERROR));
            rows.add(new Row("judging", Work.HARMLESS, form, Type.IGNORED_ERROR));
            rows.add(new Row("judging", Work.UNKNOWN, form, Type.SUCCESS));
            rows.add(new Row("judging", Work.GOOD_ANSWER, form, Type.SUCCESS));
            // Resilience4j does not look at what a Flux emits.
            rows.add(new Row("judging", Work.BAD_ANSWER, form, (form == CallForm.FLUX) ? Type.SUCCESS : Type.ERROR));
        }
        return rows.stream();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void areKept(Row row) {
        if (row.work() == Work.TIMEOUT) {
            runsIntoTheTimeout(work -> call(row.form(), row.breaker(), work, TIMEOUT));
        } else {
            catchThrowable(() -> call(row.form(), row.breaker(), row.work().begin(), LONG));
        }

        awaitEvent(row.heard());
        CircuitBreaker.Metrics metrics = registry.circuitBreaker(row.breaker()).getMetrics();
        assertThat(metrics.getNumberOfFailedCalls()).isEqualTo((row.heard() == Type.ERROR) ? 1 : 0);
        assertThat(metrics.getNumberOfSuccessfulCalls()).isEqualTo((row.heard() == Type.SUCCESS) ? 1 : 0);
    }

    /** What the breaker of a call around counts is that the step had its time, also where more time is left. */
    @ParameterizedTest
    @EnumSource(CallForm.class)
    void timeoutOfStepFurtherInIsCounted(CallForm form) {
        Steps.Closed inner =
                application.getBean(Steps.class).closed("further-in").timeout(TIMEOUT);

        runsIntoTheTimeout(work -> call(form, "ignoring", new SteppedWork(inner, work), LONG));

        awaitEvent(Type.ERROR);
        assertThat(registry.circuitBreaker("ignoring").getMetrics().getNumberOfBufferedCalls())
                .isOne();
    }

    /** Others may have used up its time, and nobody has asked its upstream. */
    @ParameterizedTest
    @EnumSource(CallForm.class)
    void stepFurtherInThatDoesNotStartIsNotCounted(CallForm form) {
        Steps.Closed inner =
                application.getBean(Steps.class).closed("further-in").minimum(LONG.multipliedBy(2));
        EndlessWork work = new EndlessWork();

        Throwable failure = catchThrowable(() -> call(form, "recording", new SteppedWork(inner, work), LONG));

        assertThat(failure).isInstanceOf(StepFailedException.class);
        assertThat(work.begun().getCount()).isOne();
        assertThat(registry.circuitBreaker("recording").getMetrics().getNumberOfBufferedCalls())
                .isZero();
    }

    @FunctionalInterface
    private interface Call {

        Object of(BreakerWork work) throws Exception;
    }

    private static void runsIntoTheTimeout(Call call) {
        Repeated.until(() -> {
            EndlessWork work = new EndlessWork();
            catchThrowable(() -> call.of(work));
            return work.begun().getCount() == 0;
        });
    }

    private static Object call(CallForm form, String breaker, BreakerWork work, Duration timeout) throws Exception {
        Steps.Closed step = application.getBean(Steps.class).closed("around").timeout(timeout);
        try (Deadlines.Started started = application.getBean(Deadlines.class).start(LONG.plusSeconds(1))) {
            return GuardedCalls.awaited(step.call(() -> BreakerCalls.call(calls, form, breaker, work)));
        }
    }

    // Once by each consumer.
    private static void awaitEvent(Type type) {
        for (List<CircuitBreakerEvent> heard : List.of(listener.heard(), HEARD)) {
            await().pollDelay(Duration.ZERO).until(() -> !heard.isEmpty());
            assertThat(heard).extracting(CircuitBreakerEvent::getEventType).containsExactly(type);
        }
    }
}
