package dev.deadline.resilience4j;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;

/** Counts what a breaker in the half-open state would let through. */
final class HalfOpen {

    private HalfOpen() {}

    static int permits(CircuitBreaker breaker) {
        CircuitBreaker inner = ((BoundedCircuitBreaker) breaker).entry();
        int permits = 0;
        while (inner.tryAcquirePermission()) {
            permits++;
        }
        for (int taken = permits; taken > 0; taken--) {
            inner.releasePermission();
        }
        return permits;
    }
}
