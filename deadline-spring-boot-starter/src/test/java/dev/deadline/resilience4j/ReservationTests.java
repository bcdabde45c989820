package dev.deadline.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.deadline.DeadlineExceededException;
import dev.deadline.Reason;
import dev.deadline.engine.RealEngine;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;
import java.time.Duration;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;

/** What a rate limiter has after reservations were given back. */
class ReservationTests {

    private static final int ROUNDS = Boolean.getBoolean("deadline.slow-tests") ? 3_000 : 1_000;

    private static final Duration PERIOD = Duration.ofMillis(5);

    /** The thread is held up after the limiter has looked at its clock, for several periods. */
    @Test
    void isNotGivenBackOnTopOfAFullLimiter() {
        AtomicLong stall = new AtomicLong();
        RateLimiter limiter = new AtomicRateLimiter("some", config(1, PERIOD), () -> {
            long now = System.nanoTime();
            long until = now + stall.getAndSet(0);
            while (until - System.nanoTime() > 0) {
                Thread.onSpinWait();
            }
            return now;
        });
        for (int round = 0; round < 20; round++) {
            // Nearly the whole period is left.
            await().pollInterval(Duration.ofNanos(50_000))
                    .until(() -> limiter.getMetrics().getAvailablePermissions() == 1);
            limiter.acquirePermission();
            stall.set(3 * PERIOD.toNanos());
            long asked = System.nanoTime();
            long wait = limiter.reservePermission();
            new Reservation(limiter, 1, asked, wait).giveBack();
            assertThat(limiter.getMetrics().getAvailablePermissions()).isLessThanOrEqualTo(1);
        }
    }

    /** Cancelling is allowed any number of times, on any thread. */
    @Test
    void isGivenBackOnceWhenTwoThreadsCancel() throws Throwable {
        RateLimiter limiter = new AtomicRateLimiter("some", config(1, Duration.ofHours(1)));
        limiter.acquirePermission();
        ExecutorService other = Executors.newSingleThreadExecutor();
        CyclicBarrier start = new CyclicBarrier(2);
        try (RealEngine real = new RealEngine()) {
            for (int round = 0; round < ROUNDS; round++) {
                Scope scope = real.request(Duration.ofHours(9));
                BaseSubscriber<Object> subscriber = new BaseSubscriber<>() {
                    @Override
                    protected void hookOnError(Throwable failure) {
                        // That of the abort.
                    }
                };
                Mono<?> limited = (Mono<?>) new ReactiveAspects.OfRateLimiter()
                        .handle(ReactiveRaceTests.method(Mono.just("answer")), new BoundedRateLimiter(limiter), "some");
                limited.cast(Object.class)
                        .contextWrite(context -> context.put(Scope.KEY, scope))
                        .subscribe(subscriber);
                assertThat(limiter.getMetrics().getAvailablePermissions()).isEqualTo(-1);
                Future<?> cancel = other.submit(() -> {
                    start.await(10, TimeUnit.SECONDS);
                    return scope.cancel(Reason.CLIENT_ABORT);
                });
                start.await(10, TimeUnit.SECONDS);
                subscriber.cancel();
                cancel.get(10, TimeUnit.SECONDS);
                await().pollInterval(Duration.ofNanos(50_000))
                        .until(() -> limiter.getMetrics().getAvailablePermissions() != -1);
                assertThat(limiter.getMetrics().getAvailablePermissions()).isZero();
            }
        } finally {
            other.shutdownNow();
        }
    }

    @Test
    void isGivenBackIfItTurnsOutNotToFit() {
        RateLimiter limiter = new AtomicRateLimiter("some", config(1, Duration.ofHours(1)));
        limiter.acquirePermission();
        try (RealEngine real = new RealEngine()) {
            Scope scope = real.request(Duration.ofMinutes(90));
            try (Section section = real.engine().bind(scope)) {
                assertThatThrownBy(() -> new BoundedRateLimiter(limiter).acquirePermission(2))
                        .isInstanceOf(DeadlineExceededException.class);
            }
        }
        assertThat(limiter.getMetrics().getAvailablePermissions()).isZero();
    }

    @Test
    void isGivenBackWhenSomebodyElseInterruptsTheWait() {
        RateLimiter limiter = new AtomicRateLimiter("some", config(1, Duration.ofHours(1)));
        limiter.acquirePermission();
        try (RealEngine real = new RealEngine()) {
            Scope scope = real.request(Duration.ofHours(9));
            try (Section section = real.engine().bind(scope)) {
                Thread.currentThread().interrupt();
                assertThat(new BoundedRateLimiter(limiter).acquirePermission()).isFalse();
                assertThat(Thread.interrupted()).as("left to whose it is").isTrue();
            }
        }
        assertThat(limiter.getMetrics().getAvailablePermissions()).isZero();
    }

    private static RateLimiterConfig config(int permits, Duration period) {
        return RateLimiterConfig.custom()
                .limitForPeriod(permits)
                .limitRefreshPeriod(period)
                .timeoutDuration(Duration.ofDays(1))
                .build();
    }
}
