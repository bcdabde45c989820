package dev.deadline.engine;

import static dev.deadline.engine.TestEngine.spinUntil;
import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.OnTimeout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Work that goes on although it was told to stop. */
class OverrunTests {

    private final TestEngine test = new TestEngine();

    @AfterEach
    void close() {
        this.test.close();
    }

    @Test
    void isToldOfOnceWithTheStackOfTheThreadAfterTenGraces() {
        run(10_000);

        assertThat(this.test.recorder.endless).singleElement().satisfies(overrun -> {
            assertThat(overrun.step()).isEqualTo("stubborn");
            assertThat(overrun.nanos()).isBetween(1_500_000_000L, 1_600_000_000L);
            assertThat(overrun.stack())
                    .anySatisfy(frame -> assertThat(frame.getMethodName()).isEqualTo("loopThatNobodyCanStop"));
        });
        assertThat(this.test.recorder.overruns).containsExactly("stubborn");
    }

    @Test
    void isNotToldOfWhileItIsShort() {
        run(1_400);

        assertThat(this.test.recorder.endless).isEmpty();
        assertThat(this.test.recorder.overruns).containsExactly("stubborn");
    }

    @Test
    void isToldOfOnAnotherThread() {
        Scope request = this.test.request(100, 0);

        runElsewhere(request, 10_000);

        assertThat(this.test.recorder.endless).singleElement().satisfies(overrun -> {
            assertThat(overrun.step()).isEqualTo("request");
            assertThat(overrun.stack())
                    .anySatisfy(frame -> assertThat(frame.getMethodName()).isEqualTo("loopThatNobodyCanStop"));
        });
        assertThat(this.test.recorder.overruns).containsExactly("request");
    }

    @Test
    void isNoneOnAnotherThreadOnceTheRequestHasEndedInTime() {
        Scope request = this.test.request(100, 0);
        try (CarriedTask task = CarriedTask.begin(request)) {
            // What a call does that hears of the end.
            DeadlineEngine.currentScope().attach();
            request.complete();
            this.test.time.advance(10_000);
        }

        assertThat(this.test.recorder.overruns).isEmpty();
    }

    private void runElsewhere(Scope request, long millis) {
        try (CarriedTask task = CarriedTask.begin(request);
                CarriedTask partOfIt = CarriedTask.begin(request)) {
            loopThatNobodyCanStop(100 + millis);
        }
    }

    private void run(long millis) {
        this.test.runner.run(
                TestEngine.step("stubborn", OnTimeout.OPEN, 100),
                Object.class,
                () -> loopThatNobodyCanStop(100 + millis),
                failure -> "fallback");
    }

    private String loopThatNobodyCanStop(long millis) {
        for (long passed = 0; passed < millis && this.test.recorder.endless.isEmpty(); passed += 20) {
            this.test.time.advance(20);
            if (passed >= 100) {
                // A round follows the other, on other threads than this.
                spinUntil(() -> this.test.time.armedCount() > 0 || !this.test.recorder.endless.isEmpty());
            }
        }
        return "late";
    }
}
