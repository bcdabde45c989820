package dev.deadline.compat.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deadline.Deadline;
import dev.deadline.DeadlineListener.StepEvent;
import dev.deadline.Outcome;
import dev.deadline.Reason;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.task.AsyncTaskExecutor;

/** What holds for work that a request hands to the executor that Spring Boot configures, which has one thread. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AsyncWorkContract {

    private final HttpClient client = HttpClient.newHttpClient();

    private final boolean virtual;

    private ConfigurableApplicationContext application;

    private Work work;

    AsyncWorkContract(boolean virtual) {
        this.virtual = virtual;
    }

    @BeforeAll
    void start() {
        this.application = new SpringApplicationBuilder(AsyncApplication.class)
                .run(
                        "--server.port=0",
                        "--spring.threads.virtual.enabled=" + this.virtual,
                        "--spring.task.execution.pool.core-size=1",
                        "--deadline.budget=400ms",
                        "--deadline.routes[0].paths=/long/**",
                        "--deadline.routes[0].budget=60s");
        this.work = this.application.getBean(Work.class);
    }

    @AfterAll
    void stop() {
        this.application.close();
    }

    @BeforeEach
    void forget() {
        this.work.forget();
    }

    private String get(String path) throws Exception {
        String port = this.application.getEnvironment().getRequiredProperty("local.server.port");
        HttpResponse<String> response = this.client.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                        .build(),
                BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(200);
        return response.body();
    }

    private StepEvent event(String step) {
        return await().atMost(Duration.ofSeconds(10))
                .until(
                        () -> this.work.events().stream()
                                .filter(event -> event.step().equals(step))
                                .findFirst()
                                .orElse(null),
                        event -> event != null);
    }

    /** C36, C38: whatever came before, a task of no request finds neither a deadline nor an interrupt. */
    private void assertNothingLeftBehind() throws Exception {
        AsyncTaskExecutor executor = this.application.getBean("applicationTaskExecutor", AsyncTaskExecutor.class);
        assertThat(executor.submit(Work::sighting).get(10, TimeUnit.SECONDS))
                .isEqualTo(new Work.Sighting(false, false, this.virtual));
        assertThat(Deadline.current()).isSameAs(Deadline.none());
    }

    @Test
    void boundsAsyncMethods() throws Exception {
        assertThat(get("/long/async")).isEqualTo("bounded=true interrupted=false virtual=" + this.virtual);
        assertNothingLeftBehind();
    }

    @Test
    void boundsStagesOnTheExecutor() throws Exception {
        assertThat(get("/long/stages")).isEqualTo("bounded=true interrupted=false virtual=" + this.virtual);
        assertNothingLeftBehind();
    }

    /** The executor of MVC carries, and so does MVC itself. */
    @Test
    void boundsCallables() throws Exception {
        assertThat(get("/long/callable")).isEqualTo("bounded=true interrupted=false virtual=" + this.virtual);
        assertNothingLeftBehind();
    }

    /** C40: work that was not detached is cut, at the end of the budget, for lack of budget. */
    @Test
    void cutsWorkThatWasNotDetached() throws Exception {
        assertThat(get("/audit")).isEqualTo("accepted");

        StepEvent event = event("audit");
        assertThat(event.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(event.reason()).isEqualTo(Reason.BUDGET_EXHAUSTED);
        assertThat(event.clamped()).isTrue();
        assertNothingLeftBehind();
    }

    /** C40: work that has deadlines of its own, started by the method that runs there, is not touched. */
    @Test
    void leavesAsyncMethodsAloneThatStartADeadline() throws Exception {
        assertThat(get("/detached/start")).isEqualTo("accepted");
        assertUntouched();
    }

    /** C40: nor is a task that was detached before it was handed over. */
    @Test
    void leavesDetachedTasksAlone() throws Exception {
        assertThat(get("/detached/task")).isEqualTo("accepted");
        assertUntouched();
    }

    private void assertUntouched() throws Exception {
        StepEvent event = event("record");
        assertThat(event.outcome()).isEqualTo(Outcome.OK);
        assertThat(event.clamped()).isFalse();
        await().untilAsserted(
                        () -> assertThat(this.work.detached()).isEqualTo(new Work.Sighting(true, false, this.virtual)));
        assertNothingLeftBehind();
    }
}
