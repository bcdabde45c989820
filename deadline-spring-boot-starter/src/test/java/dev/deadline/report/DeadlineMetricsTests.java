package dev.deadline.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.deadline.DeadlineListener.GateEvent;
import dev.deadline.DeadlineListener.RequestEvent;
import dev.deadline.DeadlineListener.StepEvent;
import dev.deadline.GateCause;
import dev.deadline.OnTimeout;
import dev.deadline.Outcome;
import dev.deadline.Priority;
import dev.deadline.Reason;
import dev.deadline.Refusal;
import dev.deadline.engine.RequestAnswer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DeadlineMetricsTests {

    // The queue, failures of the store, shared tokens.
    private static final int ALWAYS_THERE = 3;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private final DeadlineMetrics metrics = new DeadlineMetrics(this.registry);

    @Test
    void timesStepsByWhatBecameOfThem() {
        this.metrics.stepFinished(step("flags", Outcome.DEGRADED, Reason.UPSTREAM_TIMEOUT, true, false));
        this.metrics.stepFinished(step("flags", Outcome.DEGRADED, Reason.UPSTREAM_TIMEOUT, true, false));
        this.metrics.stepFinished(step("flags", Outcome.OK, null, false, true));

        assertThat(this.registry
                        .get("deadline.step")
                        .tags("step", "flags", "outcome", "degraded", "reason", "upstream_timeout")
                        .tags("policy", "open", "clamped", "true", "enforced", "false")
                        .timer()
                        .totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(500);
        assertThat(this.registry
                        .get("deadline.step")
                        .tags("step", "flags", "outcome", "ok", "reason", "none")
                        .tags("policy", "open", "clamped", "false", "enforced", "true")
                        .timer()
                        .count())
                .isOne();
    }

    @Test
    void timesRequests() {
        this.metrics.requestFinished(new RequestEvent(
                Outcome.FAILED,
                Reason.BUDGET_EXHAUSTED,
                1_500_000_000,
                1_500_000_000,
                false,
                true,
                RequestAnswer.UNKNOWN));

        assertThat(this.registry
                        .get("deadline.request")
                        .tags("outcome", "failed", "reason", "budget_exhausted", "enforced", "true")
                        .timer()
                        .totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(1500);
    }

    @Test
    void timesOverruns() {
        this.metrics.overran("request", 30_000_000);

        assertThat(this.registry
                        .get("deadline.overrun")
                        .tag("step", "request")
                        .timer()
                        .totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(30);
    }

    @Test
    void countsHeadersThatCouldNotBeRead() {
        this.metrics.inboundIgnored("grpc-timeout");

        assertThat(this.registry
                        .get("deadline.inbound.ignored")
                        .tag("header", "grpc-timeout")
                        .counter()
                        .count())
                .isOne();
    }

    /** C77: the number of meters has a fixed bound, whatever comes. */
    @Test
    void boundsTheNumberOfMetersWhateverComes() {
        for (int i = 0; i < 100_000; i++) {
            this.metrics.stepFinished(
                    step("http://host-" + i + "/p?id=" + i, Outcome.FAILED, Reason.UPSTREAM_ERROR, false, true));
            this.metrics.overran("java.io.IOException: host-" + i, i);
            this.metrics.inboundIgnored("X-" + i);
        }

        assertThat(this.registry.getMeters()).hasSize(1025 + 1025 + 17 + ALWAYS_THERE);
        assertThat(this.registry
                        .get("deadline.step")
                        .tag("step", "other")
                        .timer()
                        .count())
                .isEqualTo(100_000 - 1024);
    }

    /** C77: all tags but the step's name come from closed lists. */
    @Test
    void takesTagsFromClosedLists() {
        for (Outcome outcome : Outcome.values()) {
            for (Reason reason : Reason.values()) {
                this.metrics.stepFinished(step("flags", outcome, reason, true, true));
            }
            this.metrics.stepFinished(step("flags", outcome, null, false, false));
        }
        for (Refusal refusal : Refusal.values()) {
            this.metrics.stepFinished(refused(refusal));
        }

        assertThat(valuesOf("outcome"))
                .containsExactlyInAnyOrder("ok", "degraded", "failed", "refused", "aborted", "business_error");
        assertThat(valuesOf("reason"))
                .containsExactlyInAnyOrder(
                        "none",
                        "upstream_timeout",
                        "budget_exhausted",
                        "client_abort",
                        "upstream_error",
                        "shed",
                        "rate_limited");
        assertThat(valuesOf("cause"))
                .containsExactlyInAnyOrder("none", "breaker_open", "bulkhead_full", "rate_limited");
        assertThat(this.registry.find("deadline.step").meters())
                .allSatisfy(meter -> assertThat(meter.getId().getTags())
                        .extracting(Tag::getKey)
                        .containsExactlyInAnyOrder(
                                "step", "outcome", "reason", "cause", "policy", "clamped", "enforced"));
    }

    @Test
    void countsWhatTheGateRefuses() {
        GateEvent event = new GateEvent(Reason.SHED, GateCause.IN_FLIGHT, Priority.SHEDDABLE, 5, true);
        this.metrics.gateRefused(event);
        this.metrics.gateRefused(event);
        this.metrics.gateRefused(new GateEvent(Reason.RATE_LIMITED, GateCause.LIMIT, Priority.DEFAULT, 0, false));
        this.metrics.limitStoreFailed();
        this.metrics.tokenShared("0a1b2c3d", 12);

        assertThat(this.registry
                        .get("deadline.gate")
                        .tags("reason", "shed", "cause", "in_flight", "priority", "sheddable", "enforced", "true")
                        .counter()
                        .count())
                .isEqualTo(2);
        assertThat(this.registry
                        .get("deadline.gate")
                        .tags("reason", "rate_limited", "cause", "limit", "priority", "default", "enforced", "false")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(this.registry.get("deadline.gate.store.failures").counter().count())
                .isEqualTo(1);
        assertThat(this.registry.get("deadline.gate.shared.tokens").counter().count())
                .isEqualTo(1);
    }

    @Test
    void timesTheQueueWhereItIsKnown() {
        this.metrics.requestFinished(new RequestEvent(Outcome.OK, null, 9_000_000, 1, false, true, 4_000_000));
        this.metrics.requestFinished(
                new RequestEvent(Outcome.OK, null, 9_000_000, 1, false, true, RequestAnswer.UNKNOWN));

        assertThat(this.registry.get("deadline.queue").timer().count()).isEqualTo(1);
        assertThat(this.registry.get("deadline.queue").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(4);
    }

    @ParameterizedTest
    @MethodSource("steps")
    void allocatesNothingForAStepItHasSeen(StepEvent event) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        int runs = 100_000;
        record(event, runs);
        threads.getThreadAllocatedBytes(self);

        long before = threads.getThreadAllocatedBytes(self);
        record(event, runs);
        long allocated = threads.getThreadAllocatedBytes(self) - before;

        // Less than a byte a step: what is measured is the odd allocation of the JVM's own.
        assertThat(allocated).isLessThan(runs);
    }

    static Stream<StepEvent> steps() {
        return Stream.of(step("flags", Outcome.OK, null, false, true), refused(Refusal.BREAKER_OPEN));
    }

    private void record(StepEvent event, int runs) {
        for (int i = 0; i < runs; i++) {
            this.metrics.stepFinished(event);
        }
    }

    private Set<String> valuesOf(String tag) {
        Collection<Meter> meters = this.registry.find("deadline.step").meters();
        return meters.stream().map(meter -> meter.getId().getTag(tag)).collect(Collectors.toSet());
    }

    private static StepEvent refused(Refusal cause) {
        return new StepEvent(
                "flags",
                Outcome.DEGRADED,
                Reason.UPSTREAM_ERROR,
                cause,
                OnTimeout.OPEN,
                0,
                1_000_000_000,
                250_000_000,
                false,
                true);
    }

    private static StepEvent step(String name, Outcome outcome, Reason reason, boolean clamped, boolean enforced) {
        return new StepEvent(
                name,
                outcome,
                reason,
                null,
                OnTimeout.OPEN,
                250_000_000,
                1_000_000_000,
                250_000_000,
                clamped,
                enforced);
    }
}
