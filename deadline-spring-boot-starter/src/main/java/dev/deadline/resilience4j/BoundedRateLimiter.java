package dev.deadline.resilience4j;

import dev.deadline.Deadline.Registration;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;
import io.github.resilience4j.ratelimiter.internal.SemaphoreBasedRateLimiter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A rate limiter that refuses at once who would have to wait longer than there is time, and reserves nothing for them. A
 * wait that the limiter itself does not allow is refused at once as well, as its limit.
 */
record BoundedRateLimiter(RateLimiter entry) implements RateLimiter, Bounded<RateLimiter> {

    private static final long REFUSED = -1;

    @Override
    public boolean acquirePermission(int permits) {
        Scope scope = TimeLeft.current();
        if (scope == null) {
            return this.entry.acquirePermission(permits);
        }
        if (this.entry instanceof SemaphoreBasedRateLimiter) {
            return acquireWithoutReservation(scope, permits);
        }
        Reservation reservation = reserve(scope, permits);
        return reservation != null && await(scope, reservation);
    }

    // There is nothing to be known of the wait before, and a permit that comes too late is used up.
    private boolean acquireWithoutReservation(Scope scope, int permits) {
        boolean permitted = false;
        if (!scope.isExpired()) {
            try (Section section = DeadlineEngine.interruptible()) {
                permitted = this.entry.acquirePermission(permits);
            }
        }
        if (scope.isExpired()) {
            throw TimeLeft.stopped(scope, awaited());
        }
        return permitted;
    }

    private boolean await(Scope scope, Reservation reservation) {
        if (reservation.remainingNanos() <= 0) {
            return true;
        }
        Thread waiting = Thread.currentThread();
        boolean interrupted = false;
        // No interrupt is needed to end this wait, so it ends where interrupts are forbidden too.
        try (Registration registration = scope.onCancel(reason -> LockSupport.unpark(waiting))) {
            long left = reservation.remainingNanos();
            while (left > 0 && !interrupted && !scope.isExpired()) {
                LockSupport.parkNanos(this, left);
                // Looked at and not taken: whose it is has to find it again.
                interrupted = waiting.isInterrupted();
                left = reservation.remainingNanos();
            }
        }
        if (scope.isExpired()) {
            reservation.giveBack();
            throw TimeLeft.stopped(scope, awaited());
        }
        if (interrupted) {
            reservation.giveBack();
        }
        return !interrupted;
    }

    /** The permits are given back if the deadline of the calling thread ends before they are there. */
    @Override
    public long reservePermission(int permits) {
        Scope scope = TimeLeft.current();
        if (scope == null) {
            return this.entry.reservePermission(permits);
        }
        Reservation reservation = reserve(scope, permits);
        if (reservation == null) {
            return REFUSED;
        }
        long wait = Math.max(0, reservation.remainingNanos());
        if (wait > 0) {
            // Who waits for the permits does so elsewhere, when this thread may have left its deadline.
            Scope waiting = DeadlineEngine.carried(scope);
            waiting.onCancel(reason -> reservation.giveBack());
            // Forgotten once the permits are there, as a request may last, and reserve, for long.
            CompletableFuture.delayedExecutor(wait, TimeUnit.NANOSECONDS).execute(waiting::complete);
        }
        return wait;
    }

    /** Reserves permits if they come in time; null if the limiter refuses. */
    @Nullable
    Reservation reserve(Scope scope, int permits) {
        if (scope.isExpired()) {
            throw TimeLeft.stopped(scope, awaited());
        }
        Duration estimate = (this.entry instanceof AtomicRateLimiter limiter)
                ? Duration.ofNanos(limiter.getDetailedMetrics().getNanosToWait())
                : Duration.ZERO;
        boolean isAllowed = estimate.compareTo(getRateLimiterConfig().getTimeoutDuration()) <= 0;
        if (isAllowed && !TimeLeft.isEnoughFor(scope, estimate)) {
            throw TimeLeft.isTooShort(scope, awaited());
        }
        long asked = System.nanoTime();
        long wait = this.entry.reservePermission(permits);
        if (wait < 0) {
            return null;
        }
        Reservation reservation = new Reservation(this.entry, permits, asked, wait);
        if (wait > 0 && !TimeLeft.isEnoughFor(scope, Duration.ofNanos(wait))) {
            // It was an estimate, for one permit, and others were quicker.
            reservation.giveBack();
            throw TimeLeft.isTooShort(scope, awaited());
        }
        return reservation;
    }

    private String awaited() {
        return "rate limiter '" + getName() + "'";
    }

    @Override
    public <T> CompletionStage<T> executeCompletionStage(Supplier<CompletionStage<T>> supplier) {
        return executeCompletionStage(1, supplier);
    }

    @Override
    public <T> CompletionStage<T> executeCompletionStage(int permits, Supplier<CompletionStage<T>> supplier) {
        return GuardedStage.call(supplier, work -> RateLimiter.decorateCompletionStage(this, permits, work));
    }

    @Override
    public void drainPermissions() {
        this.entry.drainPermissions();
    }

    @Override
    public void onError(Throwable failure) {
        this.entry.onError(failure);
    }

    @Override
    public void onSuccess() {
        this.entry.onSuccess();
    }

    @Override
    public void onResult(Object result) {
        this.entry.onResult(result);
    }

    @Override
    public void changeTimeoutDuration(Duration timeout) {
        this.entry.changeTimeoutDuration(timeout);
    }

    @Override
    public void changeLimitForPeriod(int limit) {
        this.entry.changeLimitForPeriod(limit);
    }

    @Override
    public String getName() {
        return this.entry.getName();
    }

    @Override
    public RateLimiterConfig getRateLimiterConfig() {
        return this.entry.getRateLimiterConfig();
    }

    @Override
    public Map<String, String> getTags() {
        return this.entry.getTags();
    }

    @Override
    public Metrics getMetrics() {
        return this.entry.getMetrics();
    }

    @Override
    public EventPublisher getEventPublisher() {
        return this.entry.getEventPublisher();
    }

    @Override
    public String toString() {
        return this.entry.toString();
    }
}
