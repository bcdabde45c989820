package dev.deadline.aop;

import static dev.deadline.OnTimeout.CLOSED;
import static dev.deadline.OnTimeout.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.Step;
import dev.deadline.StepFailedException;
import dev.deadline.engine.InvalidSetupException;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import kotlin.coroutines.Continuation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.scheduling.annotation.Async;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;

@ExtendWith(OutputCaptureExtension.class)
class StepCheckTests {

    /** C25 and C27: what cannot work stops the start-up, and the message says where, why and what to write. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongBeans")
    void stopsTheStartUp(Class<?> bean, List<String> inMessage) {
        StepContext.with(bean)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidSetupException.class)
                        .hasMessageContaining(bean.getName() + ".step(")
                        .hasMessageContainingAll(inMessage.toArray(String[]::new)));
    }

    static Stream<Arguments> wrongBeans() {
        return Stream.of(
                wrong(NoFallback.class, "has no fallback", "int stepFallback(String id, StepFailedException failure)"),
                wrong(
                        MissingFallback.class,
                        "'nowhere', but there is no such method",
                        "Declare it as Map<String, Boolean> nowhere(String id, int count), or as"
                                + " Map<String, Boolean> nowhere(String id, int count, StepFailedException failure)"),
                wrong(
                        OtherParameters.class,
                        "same parameters and return type as String step(String id)",
                        "but is String fallback(String id, Throwable failure) or String fallback(int id)"),
                wrong(OtherResult.class, "List<String> step()", "but is List<Integer> fallback()"),
                wrong(ResultForNothing.class, "void step()", "but is String fallback()"),
                wrong(OwnFallback.class, "'step', but there is no such method"),
                wrong(ClosedWithFallback.class, "CLOSED", "would never be used"),
                wrong(PrivateStep.class, "is private"),
                wrong(StaticStep.class, "is static"),
                wrong(FinalStep.class, "is final", "Remove 'final' from it"),
                wrong(FinalClass.class, "no subclass", "interface"),
                wrong(RecordClass.class, "no subclass", "interface"),
                wrong(ReturnsFuture.class, Future.class.getName(), "CompletionStage"),
                wrong(ReturnsSubclass.class, "a plain CompletableFuture"),
                wrong(ReturnsCallable.class, Callable.class.getName()),
                wrong(ReturnsDeferredResult.class, DeferredResult.class.getName()),
                wrong(ReturnsWebAsyncTask.class, WebAsyncTask.class.getName()),
                wrong(ReturnsPublisher.class, "only Mono and Flux"),
                wrong(ReturnsFlowPublisher.class, "only Mono and Flux"),
                wrong(ReturnsNothingLater.class, "@Async", "CompletableFuture<Void>"),
                wrong(Suspends.class, "suspending"),
                wrong(UnreadableTimeout.class, "timeout is 'soon'", "250ms"),
                wrong(UnknownPlaceholder.class, "timeout is '${no.such.key}'", "no such property"),
                wrong(ZeroTimeout.class, "timeout is 0ms", "no time at all"),
                wrong(NegativeMinimum.class, "minimum is -1ms", "no time at all"),
                wrong(NegativeReserve.class, "reserve is -1ms", "cannot be negative"),
                wrong(ReservedName.class, "'request' is reserved"),
                wrong(EmptyName.class, "illegal"));
    }

    private static Arguments wrong(Class<?> bean, String... inMessage) {
        return Arguments.of(bean, List.of(inMessage));
    }

    /** C54. */
    @ParameterizedTest
    @MethodSource("illegalNames")
    void refusesNamesThatCouldBreakAHeader(Class<?> bean) {
        StepContext.with(bean)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidSetupException.class)
                        .hasMessageContaining("is illegal")
                        .message()
                        .doesNotContain("\r", "\n", "é"));
    }

    static Stream<Class<?>> illegalNames() {
        return Stream.of(LineBreak.class, NotAscii.class, Comma.class, Quote.class);
    }

    @Test
    void refusesOneNameWithTwoPoliciesAndNamesBothPlaces() {
        StepContext.with(OpenTwin.class, ClosedTwin.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidSetupException.class)
                        .hasMessageContaining(OpenTwin.class.getName() + ".twin()")
                        .hasMessageContaining(ClosedTwin.class.getName() + ".twin()")
                        .hasMessageContaining("both OPEN and CLOSED"));
    }

    @Test
    void allowsOneStepInTwoPlaces() {
        StepContext.with(OpenTwin.class, OtherOpenTwin.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void warnsOfResultsThatAreReadLater(CapturedOutput output) {
        StepContext.with(ReadLater.class)
                .run(context -> assertThat(output)
                        .containsOnlyOnce("The step 'rows' at " + ReadLater.class.getName() + ".rows()")
                        .containsOnlyOnce("The step 'body' at " + ReadLater.class.getName() + ".body()")
                        .contains("read after the step is over"));
    }

    @Test
    void acceptsEveryFormOfFallbackThatFits() {
        StepContext.with(Right.class).run(context -> assertThat(context).hasNotFailed());
    }

    static class NoFallback {
        @Step(name = "a", onTimeout = OPEN)
        public int step(String id) {
            return 1;
        }
    }

    static class MissingFallback {
        @Step(name = "a", onTimeout = OPEN, fallback = "nowhere")
        public Map<String, Boolean> step(String id, int count) {
            return Map.of();
        }
    }

    static class OtherParameters {
        @Step(name = "a", onTimeout = OPEN, fallback = "fallback")
        public String step(String id) {
            return "";
        }

        String fallback(int id) {
            return "";
        }

        String fallback(String id, Throwable failure) {
            return "";
        }
    }

    static class OtherResult {
        @Step(name = "a", onTimeout = OPEN, fallback = "fallback")
        public List<String> step() {
            return List.of();
        }

        List<Integer> fallback() {
            return List.of();
        }
    }

    static class ResultForNothing {
        @Step(name = "a", onTimeout = OPEN, fallback = "fallback")
        public void step() {}

        String fallback() {
            return "";
        }
    }

    static class OwnFallback {
        @Step(name = "a", onTimeout = OPEN, fallback = "step")
        public String step() {
            return "";
        }
    }

    static class ClosedWithFallback {
        @Step(name = "a", onTimeout = CLOSED, fallback = "fallback")
        public void step() {}

        void fallback() {}
    }

    static class PrivateStep {
        @Step(name = "a", onTimeout = CLOSED)
        private void step() {}
    }

    static class StaticStep {
        @Step(name = "a", onTimeout = CLOSED)
        public static void step() {}
    }

    static class FinalStep {
        @Step(name = "a", onTimeout = CLOSED)
        public final void step() {}
    }

    static final class FinalClass {
        @Step(name = "a", onTimeout = CLOSED)
        public void step() {}
    }

    record RecordClass() {
        @Step(name = "a", onTimeout = CLOSED)
        public void step() {}
    }

    static class ReturnsFuture {
        @Step(name = "a", onTimeout = CLOSED)
        public Future<String> step() {
            return CompletableFuture.completedFuture("");
        }
    }

    static class OwnFuture extends CompletableFuture<String> {}

    static class ReturnsSubclass {
        @Step(name = "a", onTimeout = CLOSED)
        public OwnFuture step() {
            return new OwnFuture();
        }
    }

    static class ReturnsCallable {
        @Step(name = "a", onTimeout = CLOSED)
        public Callable<String> step() {
            return () -> "";
        }
    }

    static class ReturnsDeferredResult {
        @Step(name = "a", onTimeout = CLOSED)
        public DeferredResult<String> step() {
            return new DeferredResult<>();
        }
    }

    static class ReturnsWebAsyncTask {
        @Step(name = "a", onTimeout = CLOSED)
        public WebAsyncTask<String> step() {
            return new WebAsyncTask<>(() -> "");
        }
    }

    static class ReturnsPublisher {
        @Step(name = "a", onTimeout = CLOSED)
        public Publisher<String> step() {
            return subscriber -> {};
        }
    }

    static class ReturnsFlowPublisher {
        @Step(name = "a", onTimeout = CLOSED)
        public Flow.Publisher<String> step() {
            return subscriber -> {};
        }
    }

    @Async
    static class ReturnsNothingLater {
        @Step(name = "a", onTimeout = CLOSED)
        public void step() {}
    }

    static class Suspends {
        @Step(name = "a", onTimeout = CLOSED)
        public Object step(String id, Continuation<? super String> continuation) {
            return id;
        }
    }

    static class UnreadableTimeout {
        @Step(name = "a", onTimeout = CLOSED, timeout = "soon")
        public void step() {}
    }

    static class UnknownPlaceholder {
        @Step(name = "a", onTimeout = CLOSED, timeout = "${no.such.key}")
        public void step() {}
    }

    static class ZeroTimeout {
        @Step(name = "a", onTimeout = CLOSED, timeout = "0ms")
        public void step() {}
    }

    static class NegativeMinimum {
        @Step(name = "a", onTimeout = CLOSED, minimum = "-1ms")
        public void step() {}
    }

    static class NegativeReserve {
        @Step(name = "a", onTimeout = CLOSED, reserve = "-1ms")
        public void step() {}
    }

    static class ReservedName {
        @Step(name = "request", onTimeout = CLOSED)
        public void step() {}
    }

    static class EmptyName {
        @Step(name = "", onTimeout = CLOSED)
        public void step() {}
    }

    static class LineBreak {
        @Step(name = "flags\r\nSet-Cookie: a=b", onTimeout = CLOSED)
        public void step() {}
    }

    static class NotAscii {
        @Step(name = "café", onTimeout = CLOSED)
        public void step() {}
    }

    static class Comma {
        @Step(name = "flags, geo", onTimeout = CLOSED)
        public void step() {}
    }

    static class Quote {
        @Step(name = "\"flags\"", onTimeout = CLOSED)
        public void step() {}
    }

    static class OpenTwin {
        @Step(name = "twin", onTimeout = OPEN)
        public void twin() {}
    }

    static class OtherOpenTwin {
        @Step(name = "twin", onTimeout = OPEN, timeout = "1s")
        public void twin() {}
    }

    static class ClosedTwin {
        @Step(name = "twin", onTimeout = CLOSED)
        public void twin() {}
    }

    static class ReadLater {
        @Step(name = "rows", onTimeout = OPEN)
        public Stream<String> rows() {
            return Stream.of();
        }

        @Step(name = "body", onTimeout = CLOSED)
        public InputStream body() {
            return new ByteArrayInputStream(new byte[0]);
        }
    }

    static class Base {
        protected List<String> inherited(String id) {
            return List.of();
        }
    }

    static class Right extends Base {
        @Step(name = "generics", onTimeout = OPEN, fallback = "narrower")
        public Iterable<? extends CharSequence> generics() {
            return List.of();
        }

        List<String> narrower() {
            return List.of();
        }

        @Step(name = "variable", onTimeout = OPEN, fallback = "variableFallback")
        public <T> List<T> variable(Class<T> type) {
            return List.of();
        }

        private <T> List<T> variableFallback(Class<T> type, StepFailedException failure) {
            return List.of();
        }

        @Step(name = "heir", onTimeout = OPEN, fallback = "inherited")
        public List<String> heir(String id) {
            return List.of();
        }

        @Step(name = "boxed", onTimeout = OPEN, fallback = "boxedFallback")
        public int boxed(int... numbers) {
            return 1;
        }

        static Integer boxedFallback(int... numbers) {
            return 0;
        }

        @Step(name = "stage", onTimeout = OPEN, fallback = "stageFallback")
        public java.util.concurrent.CompletionStage<String> stage() {
            return CompletableFuture.completedFuture("");
        }

        CompletableFuture<String> stageFallback() {
            return CompletableFuture.completedFuture("");
        }
    }
}
