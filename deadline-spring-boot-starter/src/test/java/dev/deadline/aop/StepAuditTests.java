package dev.deadline.aop;

import static dev.deadline.OnTimeout.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.Step;
import dev.deadline.Steps;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class StepAuditTests {

    @Test
    void namesTheNearestStepForSettingsOfAnUnknownOne(CapturedOutput output) {
        StepContext.with(Declared.class, Functional.class)
                .withPropertyValues(
                        "deadline.steps.user-perfs.timeout=1s",
                        "deadline.steps.revokation.timeout=1s",
                        "deadline.steps.userPrefs.timeout=2s")
                .run(context -> assertThat(output)
                        .containsOnlyOnce("deadline.steps.user-perfs sets up a step that nothing has declared so far. "
                                + "The nearest known name is 'user.prefs'.")
                        .containsOnlyOnce("deadline.steps.revokation sets up a step that nothing has declared so far. "
                                + "The nearest known name is 'revocation'.")
                        .doesNotContain("deadline.steps.userPrefs sets up"));
    }

    @Test
    void saysSoWhenNoStepIsKnown(CapturedOutput output) {
        StepContext.runner()
                .withPropertyValues("deadline.steps.flags.timeout=1s")
                .run(context -> assertThat(output)
                        .contains("deadline.steps.flags sets up a step that nothing has declared so far. "
                                + "No step is known at all."));
    }

    @Test
    void staysQuietWhenAllIsWell(CapturedOutput output) {
        StepContext.with(Declared.class, Functional.class)
                .run(context -> assertThat(output).doesNotContain("WARN"));
    }

    static class Declared {

        @Step(name = "user.prefs", onTimeout = OPEN)
        public void preferences() {}
    }

    static class Functional {

        private final Steps.Closed revocation;

        Functional(Steps steps) {
            this.revocation = steps.closed("revocation");
        }
    }
}
