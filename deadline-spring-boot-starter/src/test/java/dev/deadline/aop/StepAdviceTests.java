package dev.deadline.aop;

import static dev.deadline.OnTimeout.CLOSED;
import static dev.deadline.OnTimeout.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.deadline.Deadline;
import dev.deadline.OnTimeout;
import dev.deadline.Outcome;
import dev.deadline.Reason;
import dev.deadline.Step;
import dev.deadline.StepFailedException;
import dev.deadline.aop.StepContext.Recorder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowingConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.core.annotation.AliasFor;

class StepAdviceTests {

    @Test
    void returnsWhatTheMethodReturns() {
        run(Geo.class, geo -> assertThat(geo.locate("address")).isEqualTo("address located"));
    }

    @Test
    void servesTheFallbackWhenTimeIsUp() {
        StepContext.with(Geo.class).run(context -> {
            assertThat(context.getBean(Geo.class).hang()).isEqualTo("nowhere");
            assertThat(context.getBean(Recorder.class).steps).singleElement().satisfies(event -> {
                assertThat(event.outcome()).isEqualTo(Outcome.DEGRADED);
                assertThat(event.reason()).isEqualTo(Reason.UPSTREAM_TIMEOUT);
            });
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    @Test
    void servesNullWhereTheFallbackReturnsNull() {
        run(Geo.class, geo -> assertThat(geo.absent("address")).isNull());
    }

    @Test
    void tellsTheFallbackWhatWasAskedAndWhatFailed() {
        run(Geo.class, geo -> assertThat(geo.explained("address")).isEqualTo("address: upstream_error"));
    }

    @Test
    void callsTheFallbackOnTheBeanItselfSoThatPrivateOnesSeeItsState() {
        run(Geo.class, geo -> assertThat(geo.stateful()).isEqualTo("state"));
    }

    @Test
    void servesTheNaturalEmptyValueWithoutAFallback() {
        run(Geo.class, geo -> assertThat(geo.all()).isEmpty());
    }

    @Test
    void neverTakesTheStepItselfForItsFallback() {
        run(Geo.class, geo -> assertThat(geo.overloaded("address")).isEqualTo("overloaded"));
    }

    @Test
    void throwsWhenAClosedStepFails() {
        run(
                Geo.class,
                geo -> assertThatExceptionOfType(StepFailedException.class)
                        .isThrownBy(geo::guard)
                        .satisfies(failure -> {
                            assertThat(failure.stepName()).isEqualTo("guard");
                            assertThat(failure.reason()).isEqualTo(Reason.UPSTREAM_ERROR);
                            assertThat(failure.getCause()).isInstanceOf(IOException.class);
                        }));
    }

    /** C26. */
    @Test
    void leavesBusinessExceptionsAlone() {
        StepContext.with(Geo.class).run(context -> {
            assertThatExceptionOfType(NoSuchElementException.class)
                    .isThrownBy(() -> context.getBean(Geo.class).notFound())
                    .withMessage("not found")
                    .withNoCause();
            assertThat(context.getBean(Recorder.class).steps).singleElement().satisfies(event -> {
                assertThat(event.outcome()).isEqualTo(Outcome.BUSINESS_ERROR);
                assertThat(event.reason()).isNull();
            });
        });
    }

    /** C26, for an exception that the method declares. */
    @Test
    void leavesCheckedBusinessExceptionsAlone() {
        run(
                Geo.class,
                geo -> assertThatExceptionOfType(NotLocatedException.class).isThrownBy(geo::checked));
    }

    /** C27. */
    @Test
    void refusesTheRequestWithTheOwnCauseOfAThrowingFallback() {
        run(
                Geo.class,
                geo -> assertThatExceptionOfType(StepFailedException.class)
                        .isThrownBy(geo::brokenFallback)
                        .satisfies(failure -> {
                            assertThat(failure.stepName()).isEqualTo("broken");
                            assertThat(failure.getCause()).isInstanceOf(NotLocatedException.class);
                        }));
    }

    @Test
    void findsTheAnnotationOfAnInterface() {
        run(Located.class, located -> {
            assertThat(located.locate("address")).isEqualTo("address of Located");
            assertThat(located.generic(1)).isEqualTo("generic fallback");
        });
    }

    @Test
    void advisesAFinalClassThroughItsInterface() {
        run(
                Locator.class,
                FinalLocator.class,
                locator -> assertThat(locator.locate("address")).isEqualTo("address of FinalLocator"));
    }

    @Test
    void takesTheSettingsOfAComposedAnnotation() {
        StepContext.with(Composed.class).run(context -> {
            assertThat(context.getBean(Composed.class).flags()).isEqualTo("none");
            assertThat(context.getBean(Recorder.class).steps).singleElement().satisfies(event -> {
                assertThat(event.step()).isEqualTo("composed");
                assertThat(event.policy()).isEqualTo(OnTimeout.OPEN);
                assertThat(event.timeoutNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(30));
            });
        });
    }

    @Test
    void readsPlaceholders() {
        StepContext.with(Placeholders.class)
                .withPropertyValues("flags.timeout=7s")
                .run(context -> {
                    assertThat(context.getBean(Placeholders.class).remaining()).isBetween(1L, 7000L);
                    assertThat(context.getBean(Placeholders.class).unlimited()).isFalse();
                });
    }

    @Test
    void prefersTheConfigurationToTheAnnotation() {
        StepContext.with(Placeholders.class)
                .withPropertyValues("flags.timeout=7s", "deadline.steps.placeholders.timeout=90s")
                .run(context -> assertThat(context.getBean(Placeholders.class).remaining())
                        .isBetween(7001L, 90_000L));
    }

    @Test
    void leavesTheApplicationAsItIsWhenDisabled() {
        StepContext.with(Geo.class).withPropertyValues("deadline.enabled=false").run(context -> {
            assertThat(context.getBean(Geo.class).getClass()).isSameAs(Geo.class);
            assertThat(context).doesNotHaveBean(StepPostProcessor.class);
        });
    }

    /** C31, as far as no client and no database is involved. */
    @Test
    void refusesFurtherWorkAfterTheInterruptWasSwallowed() {
        StepContext.with(Stubborn.class).run(context -> {
            Stubborn stubborn = context.getBean(Stubborn.class);
            assertThat(stubborn.update()).isEqualTo("fallback");
            assertThat(stubborn.rows()).isZero();
            assertThat(context.getBean(Recorder.class).overruns).containsExactly("stubborn");
        });
    }

    private static <T> void run(Class<T> type, ThrowingConsumer<T> assertions) {
        run(type, type, assertions);
    }

    private static <T> void run(Class<T> type, Class<? extends T> bean, ThrowingConsumer<T> assertions) {
        StepContext.with(bean).run(context -> assertions.accept(context.getBean(type)));
    }

    static class NotLocatedException extends Exception {}

    static class Geo {

        private final String state = "state";

        @Step(name = "locate", onTimeout = OPEN, fallback = "nowhere")
        String locate(String address) {
            return address + " located";
        }

        String nowhere(String address) {
            return "nowhere";
        }

        @Step(name = "hang", onTimeout = OPEN, timeout = "50ms", fallback = "nowhere")
        protected String hang() throws InterruptedException {
            new CountDownLatch(1).await();
            return "never";
        }

        static String nowhere() {
            return "nowhere";
        }

        @Step(name = "absent", onTimeout = OPEN, fallback = "noGeo")
        public @Nullable String absent(String address) {
            throw new UncheckedIOException(new IOException());
        }

        @Nullable
        String noGeo(String address) {
            return null;
        }

        @Step(name = "explained", onTimeout = OPEN, fallback = "explain")
        public String explained(String address) throws IOException {
            throw new IOException();
        }

        private String explain(String address) {
            return "the other one";
        }

        private String explain(String address, StepFailedException failure) {
            return address + ": " + failure.reason().code();
        }

        @Step(name = "stateful", onTimeout = OPEN, fallback = "ownState")
        public String stateful() throws IOException {
            throw new IOException();
        }

        private String ownState() {
            return this.state;
        }

        @Step(name = "all", onTimeout = OPEN)
        public List<String> all() throws IOException {
            throw new IOException();
        }

        @Step(name = "overloaded", onTimeout = OPEN, fallback = "overloaded")
        public String overloaded(String address) throws IOException {
            throw new IOException();
        }

        String overloaded(String address, StepFailedException failure) {
            return "overloaded";
        }

        @Step(name = "guard", onTimeout = CLOSED)
        public void guard() throws IOException {
            throw new IOException();
        }

        @Step(name = "notFound", onTimeout = OPEN, fallback = "nowhere")
        public String notFound() {
            throw new NoSuchElementException("not found");
        }

        @Step(name = "checked", onTimeout = OPEN, fallback = "nowhere")
        public String checked() throws NotLocatedException {
            throw new NotLocatedException();
        }

        @Step(name = "broken", onTimeout = OPEN, fallback = "throwing")
        public String brokenFallback() {
            throw new UncheckedIOException(new IOException());
        }

        String throwing() throws NotLocatedException {
            throw new NotLocatedException();
        }
    }

    interface Locator {

        @Step(name = "located", onTimeout = OPEN, fallback = "fallback")
        String locate(String address);

        default String fallback(String address) {
            return address + " of " + getClass().getSimpleName();
        }
    }

    interface Generic<T> {

        String generic(T argument);
    }

    abstract static class GenericBase<T> implements Generic<T> {

        protected String genericFallback(T argument) {
            return "generic fallback";
        }
    }

    static class Located extends GenericBase<Integer> implements Locator {

        @Override
        public String locate(String address) {
            throw new UncheckedIOException(new IOException());
        }

        @Override
        @Step(name = "generic", onTimeout = OPEN, fallback = "genericFallback")
        public String generic(Integer argument) {
            throw new UncheckedIOException(new IOException());
        }
    }

    static final class FinalLocator implements Locator {

        @Override
        public String locate(String address) {
            throw new UncheckedIOException(new IOException());
        }
    }

    @Step(name = "overridden", onTimeout = OPEN, timeout = "30s")
    @Retention(RetentionPolicy.RUNTIME)
    @interface OpenStep {

        @AliasFor(annotation = Step.class, attribute = "name")
        String value();

        @AliasFor(annotation = Step.class)
        String fallback() default "";
    }

    static class Composed {

        @OpenStep(value = "composed", fallback = "none")
        public String flags() throws IOException {
            throw new IOException();
        }

        String none() {
            return "none";
        }
    }

    static class Placeholders {

        @Step(name = "place-holders", onTimeout = CLOSED, timeout = "${flags.timeout}", reserve = "${flags.reserve:}")
        public long remaining() {
            return Deadline.current().remaining().toMillis();
        }

        @Step(name = "unlimited", onTimeout = CLOSED, timeout = "${flags.unlimited:}")
        public boolean unlimited() {
            return Deadline.current().isBounded();
        }
    }

    static class Stubborn {

        private final AtomicInteger rows = new AtomicInteger();

        @Step(name = "stubborn", onTimeout = OPEN, timeout = "50ms", fallback = "fallback")
        public String update() {
            int swallowed = 0;
            while (swallowed < 2) {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException ex) {
                    swallowed++;
                }
            }
            Deadline.current().checkpoint();
            this.rows.incrementAndGet();
            return "updated";
        }

        String fallback() {
            return "fallback";
        }

        public int rows() {
            return this.rows.get();
        }
    }
}
