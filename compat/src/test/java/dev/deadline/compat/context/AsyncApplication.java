package dev.deadline.compat.context;

import dev.deadline.Deadlines;
import dev.deadline.Reason;
import dev.deadline.Steps;
import dev.deadline.compat.context.Work.Background;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application that does not configure its executor. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableAsync(proxyTargetClass = true)
@Import(AsyncApplication.Pages.class)
class AsyncApplication {

    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
        return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                .build();
    }

    @Bean
    Work work() {
        return new Work();
    }

    @Bean
    Background background(Steps steps, Deadlines deadlines, Work work) {
        return new Background(steps, deadlines, work);
    }

    @RestController
    static class Pages {

        private final Background background;

        private final Deadlines deadlines;

        private final AsyncTaskExecutor executor;

        Pages(
                Background background,
                Deadlines deadlines,
                @Qualifier("applicationTaskExecutor") AsyncTaskExecutor executor) {
            this.background = background;
            this.deadlines = deadlines;
            this.executor = executor;
        }

        @GetMapping("/long/async")
        String async() {
            return this.background.look().join();
        }

        @GetMapping("/long/stages")
        String stages() {
            return CompletableFuture.supplyAsync(() -> Work.sighting().toString(), this.executor)
                    .thenCombineAsync(
                            CompletableFuture.supplyAsync(() -> Work.sighting().toString(), this.executor),
                            (one, other) -> one.equals(other) ? one : one + other,
                            this.executor)
                    .join();
        }

        @GetMapping("/long/callable")
        Callable<String> callable() {
            return () -> Work.sighting().toString();
        }

        @GetMapping("/audit")
        String audit() throws Exception {
            this.background.audit();
            return "accepted";
        }

        @GetMapping("/detached/start")
        String auditDetached() throws Exception {
            this.background.auditDetached(requestsEnd());
            return "accepted";
        }

        @GetMapping("/detached/task")
        String auditTask() {
            CompletableFuture<Reason> end = requestsEnd();
            this.executor.execute(this.deadlines.detached(Duration.ofSeconds(60), () -> {
                try {
                    this.background.auditAfter(end);
                } catch (Exception ex) {
                    throw new IllegalStateException(ex);
                }
            }));
            return "accepted";
        }

        // Of the budget, which goes on when the request has been answered.
        private static CompletableFuture<Reason> requestsEnd() {
            CompletableFuture<Reason> end = new CompletableFuture<>();
            Scope scope = DeadlineEngine.currentScope();
            DeadlineEngine.carried(scope).onCancel(end::complete);
            return end;
        }
    }
}
