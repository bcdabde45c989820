package dev.deadline.gateway;

import io.github.bucket4j.Bandwidth;
import java.time.Duration;

/** Rules as Bucket4j has them. */
final class Bandwidths {

    private Bandwidths() {}

    static Bandwidth of(LimitRule rule) {
        return Bandwidth.builder()
                .capacity(rule.burst())
                .refillGreedy(rule.limit(), Duration.ofNanos(rule.periodNanos()))
                .build();
    }
}
