package dev.deadline.gateway;

import dev.deadline.GateCause;
import org.jspecify.annotations.Nullable;

/**
 * That a client has used up what it may ask for. The fields are those of {@code draft-ietf-httpapi-ratelimit-headers-11}:
 * {@code RateLimit-Policy: "address";q=100;w=2} (100 requests in 2 seconds) and {@code RateLimit: "address";r=0;t=1}
 * (nothing left, some again in 1 second).
 *
 * @param cause {@link GateCause#LIMIT} or {@link GateCause#BAN}
 * @param waitNanos after how many nanoseconds the client may come again; more than 0
 * @param policyField value of the field {@code RateLimit-Policy}; null if the client is banned
 * @param limitField value of the field {@code RateLimit}; null if the client is banned
 */
public record LimitExcess(
        GateCause cause,
        long waitNanos,
        @Nullable String policyField,
        @Nullable String limitField) {

    private static final long SECOND = 1_000_000_000;

    /** After how many whole seconds the client may come again; at least 1. */
    public long waitSeconds() {
        return Math.max(1, this.waitNanos / SECOND + ((this.waitNanos % SECOND > 0) ? 1 : 0));
    }
}
