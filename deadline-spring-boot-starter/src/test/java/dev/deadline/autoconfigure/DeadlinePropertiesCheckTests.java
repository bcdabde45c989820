package dev.deadline.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.engine.InvalidSetupException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class DeadlinePropertiesCheckTests {

    private final ApplicationContextRunner context =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(DeadlineAutoConfiguration.class));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "deadline.budget=0ms | deadline.budget is 0 ms",
                "deadline.budget=-5s | deadline.budget is -5000 ms",
                "deadline.reserve=-1ms | deadline.reserve is -1 ms",
                "deadline.answer-margin=-1ms | deadline.answer-margin is -1 ms",
                "deadline.budget=1s,deadline.reserve=1s | leaves nothing of deadline.budget",
                "deadline.budget=10ms | deadline.answer-margin (20 ms) leaves nothing of deadline.budget",
                "deadline.include-paths=/a/{ | holds the pattern '/a/{'",
                "deadline.exclude-paths=/a/**/b | holds the pattern '/a/**/b'",
                "deadline.routes[0].budget=1s | deadline.routes[0].paths is empty",
                "deadline.routes[0].paths=/a | deadline.routes[0] has no budget",
                "deadline.routes[0].paths=/a,deadline.routes[0].budget=0 | deadline.routes[0].budget is 0 ms",
                "deadline.budget=2s,deadline.reserve=1s,deadline.routes[0].paths=/a,deadline.routes[0].budget=1s"
                        + " | leaves nothing of deadline.routes[0].budget",
                "deadline.routes[0].paths=/a,deadline.routes[0].budget=5ms | leaves nothing of deadline.routes[0].budget",
                "deadline.budget=1s,deadline.routes[0].paths=/a,deadline.routes[0].methods=gett | holds 'gett'",
                "deadline.propagation.outbound.hosts=https://a.org | holds 'https://a.org'",
                "deadline.propagation.outbound.hosts=a.org:8443 | holds 'a.org:8443'",
                "deadline.propagation.outbound.hosts=* | holds '*'",
                "deadline.budget=-500us | deadline.budget is -500000 ns",
                "deadline.steps.flags.timeout=0ms | deadline.steps.flags.timeout is 0 ms",
                "deadline.steps.flags.reserve=-1ms | deadline.steps.flags.reserve is -1 ms",
                "deadline.steps.flags.minimum=0ms | deadline.steps.flags.minimum is 0 ms",
                "deadline.steps.userPrefs.timeout=1s,deadline.steps.user-prefs.timeout=2s | in two spellings",
                "deadline.response.status=500 | deadline.response.status is 500",
                "deadline.response.header=X Degraded | is not the name of an HTTP header",
                "deadline.response.retry-after=0s | deadline.response.retry-after is 0 ms",
                "deadline.watchdog.hook-threads=0 | deadline.watchdog.hook-threads is 0"
            })
    void stopsTheStartUpInTwoSentences(String settings, String problem) {
        this.context.withPropertyValues(settings.split(",")).run(context -> {
            FailureAnalysis analysis = new InvalidSetupFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(analysis).isNotNull();
            assertThat(analysis.getDescription()).contains(problem).endsWith(".");
            assertThat(analysis.getAction()).isNotEmpty().endsWith(".");
        });
    }

    /** C73: the largest lengths are legal. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "deadline.budget=9223372036854775807s",
                "deadline.budget=9223372036854775807ms",
                "deadline.steps.flags.timeout=9223372036854775807s"
            })
    void acceptsTheLargestLengths(String setting) {
        this.context
                .withPropertyValues(setting)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void complainsAboutHugeReservesToo() {
        this.context
                .withPropertyValues("deadline.budget=1s", "deadline.reserve=9223372036854775807s")
                .run(context ->
                        assertThat(context.getStartupFailure()).rootCause().isInstanceOf(InvalidSetupException.class));
    }
}
