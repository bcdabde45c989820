package dev.deadline.report;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.deadline.Steps;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.EngineSettings;
import dev.deadline.engine.EngineSteps;
import dev.deadline.engine.InterruptPolicy;
import dev.deadline.engine.Mode;
import dev.deadline.engine.ModeSwitch;
import dev.deadline.engine.StepRegistry;
import dev.deadline.engine.StepRunner;
import dev.deadline.engine.UpstreamFailures;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What log and metric say of a step whose upstream was not asked, with the guards that refuse to ask it. */
class RefusalReportTests {

    @RegisterExtension
    private final CapturedLog captured = new CapturedLog(TimeoutLog.LOGGER);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private final DeadlineEngine engine = DeadlineEngine.start(
            new EngineSettings(0, InterruptPolicy.STEPS, 150_000_000, 1, false),
            new ModeSwitch(Mode.ENFORCE),
            new UpstreamFailures(),
            List.of(new TimeoutLog(), new DeadlineMetrics(this.registry)));

    private final Steps.Open geo = new EngineSteps(new StepRegistry(Map.of()), new StepRunner(this.engine, List.of()))
            .open("geo")
            .timeout(Duration.ofSeconds(30));

    @AfterEach
    void close() {
        this.engine.close();
    }

    @Test
    void tellsTheThreeRefusalsApartInLogAndMetric() {
        CircuitBreaker breaker = CircuitBreaker.ofDefaults("geo");
        breaker.transitionToOpenState();
        Bulkhead bulkhead =
                Bulkhead.of("geo", BulkheadConfig.custom().maxConcurrentCalls(1).build());
        bulkhead.acquirePermission();
        RateLimiter limiter = RateLimiter.of(
                "geo",
                RateLimiterConfig.custom()
                        .limitForPeriod(1)
                        .limitRefreshPeriod(Duration.ofDays(1))
                        .timeoutDuration(Duration.ZERO)
                        .build());
        limiter.acquirePermission();

        assertTold("breaker_open", () -> breaker.executeSupplier(() -> "asked"));
        assertTold("bulkhead_full", () -> bulkhead.executeSupplier(() -> "asked"));
        assertTold("rate_limited", () -> limiter.executeSupplier(() -> "asked"));
    }

    @Test
    void saysNothingMoreOfAnUpstreamThatWasAsked() {
        call(() -> {
            throw new UncheckedIOException(new IOException("reset"));
        });

        ILoggingEvent event = this.captured.events().get(0);
        assertThat(event.getFormattedMessage()).doesNotContain("cause");
        assertThat(event.getKeyValuePairs()).extracting(pair -> pair.key).doesNotContain("cause");
        assertThat(countedWith("none")).isOne();
    }

    private void assertTold(String cause, Supplier<String> work) {
        int before = this.captured.events().size();

        assertThat(call(work)).isEqualTo("fallback upstream_error");

        assertThat(this.captured.events()).hasSize(before + 1);
        ILoggingEvent event = this.captured.events().get(before);
        assertThat(event.getFormattedMessage())
                .startsWith(
                        "{\"event\":\"deadline.upstream_error\",\"step\":\"geo\",\"reason\":\"upstream_error\",\"cause\":\""
                                + cause + "\",\"waitedMs\":");
        assertThat(event.getKeyValuePairs())
                .anySatisfy(pair -> assertThat(Map.entry(pair.key, pair.value)).isEqualTo(Map.entry("cause", cause)));
        assertThat(countedWith(cause)).isOne();
    }

    private String call(Supplier<String> work) {
        return this.geo.call(
                work::get, failure -> "fallback " + failure.reason().code());
    }

    private long countedWith(String cause) {
        return this.registry
                .get("deadline.step")
                .tags("step", "geo", "outcome", "degraded", "reason", "upstream_error")
                .tags(List.of(Tag.of("cause", cause)))
                .timer()
                .count();
    }
}
