package dev.deadline.report;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.deadline.DeadlineListener.RequestEvent;
import dev.deadline.DeadlineListener.StepEvent;
import dev.deadline.OnTimeout;
import dev.deadline.Outcome;
import dev.deadline.Reason;
import dev.deadline.engine.RequestAnswer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TimeoutLogTests {

    private static final long NONE = Long.MAX_VALUE;

    @RegisterExtension
    private final CapturedLog captured = new CapturedLog(TimeoutLog.LOGGER);

    private final TimeoutLog log = new TimeoutLog();

    @Test
    void writesOneLineOfJsonForAStepThatTimedOut() {
        this.log.stepFinished(new StepEvent(
                "flags",
                Outcome.DEGRADED,
                Reason.UPSTREAM_TIMEOUT,
                null,
                OnTimeout.OPEN,
                250_900_000,
                1_248_000_000,
                250_000_000,
                false,
                true));

        assertThat(onlyEvent().getFormattedMessage())
                .isEqualTo("{\"event\":\"deadline.timeout\",\"step\":\"flags\",\"reason\":\"upstream_timeout\","
                        + "\"waitedMs\":250,\"budgetLeftMs\":1248,\"policy\":\"open\",\"timeoutMs\":250,"
                        + "\"clamped\":false,\"enforced\":true}");
    }

    @Test
    void carriesTheSameFieldsAsKeyValues() {
        this.log.stepFinished(new StepEvent(
                "flags",
                Outcome.FAILED,
                Reason.BUDGET_EXHAUSTED,
                null,
                OnTimeout.CLOSED,
                0,
                5_000_000,
                250_000_000,
                true,
                true));

        assertThat(keyValues(onlyEvent()))
                .containsExactly(
                        Map.entry("event", "deadline.timeout"),
                        Map.entry("step", "flags"),
                        Map.entry("reason", "budget_exhausted"),
                        Map.entry("waitedMs", 0L),
                        Map.entry("budgetLeftMs", 5L),
                        Map.entry("policy", "closed"),
                        Map.entry("timeoutMs", 250L),
                        Map.entry("clamped", true),
                        Map.entry("enforced", true));
    }

    @Test
    void writesNullWhereThereIsNoBudgetAndNoTimeout() {
        this.log.stepFinished(new StepEvent(
                "flags", Outcome.FAILED, Reason.UPSTREAM_ERROR, null, OnTimeout.CLOSED, 1, NONE, NONE, false, true));

        assertThat(onlyEvent().getFormattedMessage())
                .contains("\"budgetLeftMs\":null,\"policy\":\"closed\",\"timeoutMs\":null");
        assertThat(keyValues(onlyEvent())).doesNotContainKeys("budgetLeftMs", "timeoutMs");
    }

    @Test
    void namesTheEventAfterWhatIsNotATimeout() {
        this.log.stepFinished(step(Outcome.DEGRADED, Reason.UPSTREAM_ERROR, true));

        assertThat(onlyEvent().getFormattedMessage()).startsWith("{\"event\":\"deadline.upstream_error\",");
        assertThat(onlyEvent().getLevel()).isEqualTo(Level.WARN);
    }

    @Test
    void warnsOnlyOfWhatChangedAnAnswer() {
        this.log.stepFinished(step(Outcome.DEGRADED, Reason.UPSTREAM_TIMEOUT, true));
        this.log.stepFinished(step(Outcome.DEGRADED, Reason.UPSTREAM_TIMEOUT, false));
        this.log.stepFinished(step(Outcome.ABORTED, Reason.CLIENT_ABORT, true));

        assertThat(this.captured.events())
                .extracting(ILoggingEvent::getLevel)
                .containsExactly(Level.WARN, Level.INFO, Level.INFO);
    }

    @Test
    void isSilentAboutStepsThatAnsweredAndFailuresOfOthers() {
        this.log.stepFinished(step(Outcome.OK, null, true));
        this.log.stepFinished(step(Outcome.BUSINESS_ERROR, null, true));
        this.log.stepFinished(step(Outcome.FAILED, null, true));

        assertThat(this.captured.events()).isEmpty();
    }

    @Test
    void reportsTheFailureOfAFallbackAsASecondEvent() {
        this.log.stepFinished(step(Outcome.FAILED, Reason.UPSTREAM_TIMEOUT, true));
        this.log.fallbackFailed(step(Outcome.FAILED, Reason.UPSTREAM_ERROR, true));

        assertThat(this.captured.events())
                .extracting(event ->
                        keyValues(event).get("event") + "/" + keyValues(event).get("reason"))
                .containsExactly("deadline.timeout/upstream_timeout", "deadline.fallback_failed/upstream_error");
    }

    @Test
    void reportsTheEndOfAWholeBudget() {
        this.log.requestFinished(new RequestEvent(
                Outcome.FAILED,
                Reason.BUDGET_EXHAUSTED,
                1_501_000_000,
                1_500_000_000,
                true,
                true,
                RequestAnswer.UNKNOWN));

        assertThat(onlyEvent().getFormattedMessage())
                .isEqualTo("{\"event\":\"deadline.timeout\",\"step\":\"request\",\"reason\":\"budget_exhausted\","
                        + "\"waitedMs\":1501,\"budgetLeftMs\":0,\"policy\":\"closed\",\"timeoutMs\":1500,"
                        + "\"clamped\":true,\"enforced\":true}");
    }

    @Test
    void reportsARequestThatCameTooLate() {
        this.log.requestFinished(new RequestEvent(
                Outcome.REFUSED, Reason.BUDGET_EXHAUSTED, 10_000, 1_000_000, true, true, RequestAnswer.UNKNOWN));

        assertThat(this.captured.events()).hasSize(1);
    }

    @Test
    void leavesRequestsToTheirStepsWhereTheseSayIt() {
        this.log.requestFinished(new RequestEvent(
                Outcome.FAILED,
                Reason.BUDGET_EXHAUSTED,
                900_000_000,
                1_500_000_000,
                false,
                true,
                RequestAnswer.UNKNOWN));
        this.log.requestFinished(new RequestEvent(
                Outcome.DEGRADED,
                Reason.UPSTREAM_TIMEOUT,
                300_000_000,
                1_500_000_000,
                false,
                true,
                RequestAnswer.UNKNOWN));
        this.log.requestFinished(
                new RequestEvent(Outcome.OK, null, 300_000_000, NONE, false, true, RequestAnswer.UNKNOWN));

        assertThat(this.captured.events()).isEmpty();
    }

    @Test
    void keepsTheLineWholeWhateverTheStepIsCalled() {
        this.log.stepFinished(new StepEvent(
                "a\"b\\c\nd",
                Outcome.DEGRADED,
                Reason.UPSTREAM_TIMEOUT,
                null,
                OnTimeout.OPEN,
                0,
                NONE,
                NONE,
                false,
                true));

        assertThat(onlyEvent().getFormattedMessage()).contains("\"step\":\"a\\\"b\\\\c\\u000ad\"");
    }

    @Test
    void canBeTurnedOffThroughTheLogger() {
        this.captured.logger().setLevel(Level.ERROR);

        this.log.stepFinished(step(Outcome.DEGRADED, Reason.UPSTREAM_TIMEOUT, true));

        assertThat(this.captured.events()).isEmpty();
    }

    private ILoggingEvent onlyEvent() {
        assertThat(this.captured.events()).hasSize(1);
        return this.captured.events().get(0);
    }

    private static Map<String, Object> keyValues(ILoggingEvent event) {
        Map<String, Object> values = new LinkedHashMap<>();
        event.getKeyValuePairs().forEach(pair -> values.put(pair.key, pair.value));
        return values;
    }

    private static StepEvent step(Outcome outcome, Reason reason, boolean enforced) {
        return new StepEvent("flags", outcome, reason, null, OnTimeout.OPEN, 1, NONE, NONE, false, enforced);
    }
}
