package dev.deadline.compat.resilience4j;

import dev.deadline.OnTimeout;
import dev.deadline.Step;
import io.github.resilience4j.bulkhead.annotation.Bulkhead;
import io.github.resilience4j.circuitbreaker.annotation.CircuitBreaker;
import io.github.resilience4j.ratelimiter.annotation.RateLimiter;
import io.github.resilience4j.retry.annotation.Retry;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** An application with requests, whose pages make guarded calls. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class MonitoredApplication {

    @Bean
    SlowCalls slowCalls() {
        return new SlowCalls();
    }

    @Bean
    FailingCalls failingCalls() {
        return new FailingCalls();
    }

    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
        return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                .csrf(csrf -> csrf.disable())
                .build();
    }

    /** Calls of an upstream that takes 60 ms. */
    static class SlowCalls {

        private final AtomicInteger asked = new AtomicInteger();

        int asked() {
            return this.asked.get();
        }

        @CircuitBreaker(name = "slow")
        String blocking() throws InterruptedException {
            this.asked.incrementAndGet();
            return new CountDownLatch(1).await(60, TimeUnit.MILLISECONDS) ? "never" : "done";
        }

        @CircuitBreaker(name = "slow")
        CompletionStage<String> stage() {
            this.asked.incrementAndGet();
            return CompletableFuture.supplyAsync(
                    () -> "done", CompletableFuture.delayedExecutor(60, TimeUnit.MILLISECONDS));
        }

        @CircuitBreaker(name = "slow")
        Mono<String> mono() {
            return Mono.fromFuture(() -> stage().toCompletableFuture());
        }

        @Step(name = "slow", onTimeout = OnTimeout.CLOSED, timeout = "1s")
        @CircuitBreaker(name = "slow")
        String step() throws InterruptedException {
            return blocking();
        }
    }

    /** A call with every guard. */
    static class FailingCalls {

        @Retry(name = "own")
        @CircuitBreaker(name = "own")
        @RateLimiter(name = "own")
        @Bulkhead(name = "own")
        String call() {
            throw new IllegalStateException("sick");
        }
    }

    @RestController
    static class Pages {

        private final SlowCalls slow;

        private final FailingCalls failing;

        Pages(SlowCalls slow, FailingCalls failing) {
            this.slow = slow;
            this.failing = failing;
        }

        @GetMapping("/fails")
        String fails() {
            return this.failing.call();
        }

        @GetMapping("/slow/blocking")
        String blocking() throws InterruptedException {
            return this.slow.blocking();
        }

        @GetMapping("/slow/stage")
        CompletionStage<String> stage() {
            return this.slow.stage();
        }

        @GetMapping("/slow/mono")
        Mono<String> mono() {
            return this.slow.mono();
        }

        @GetMapping("/slow/step")
        String step() throws InterruptedException {
            return this.slow.step();
        }
    }
}
