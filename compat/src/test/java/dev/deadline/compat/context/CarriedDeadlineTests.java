package dev.deadline.compat.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.Deadline;
import dev.deadline.DeadlineExceededException;
import dev.deadline.Deadlines;
import dev.deadline.Reason;
import dev.deadline.compat.webclient.FaultServer;
import dev.deadline.compat.webclient.WebClientApplication;
import io.micrometer.context.ContextExecutorService;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.web.reactive.function.client.WebClient;

/** Executors decorated the way Spring does it take the deadline along; others do not. */
class CarriedDeadlineTests {

    private static final String HEADER = "X-Deadline-Remaining-Ms";

    private static final Duration LONG = Duration.ofSeconds(60);

    private static final ContextSnapshotFactory SNAPSHOTS =
            ContextSnapshotFactory.builder().build();

    private static ConfigurableApplicationContext application;

    private static Deadlines deadlines;

    private static Executor decorated;

    private static Executor second;

    private FaultServer upstream;

    @BeforeAll
    static void start() {
        application = WebClientApplication.start(Audited.class);
        deadlines = application.getBean(Deadlines.class);
        decorated = application.getBean("applicationTaskExecutor", Executor.class);
        second = application.getBean("second", Executor.class);
        FaultServer.warmUp(application.getBean(WebClient.class));
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void startUpstream() {
        this.upstream = new FaultServer();
    }

    @AfterEach
    void stopUpstream() throws IOException {
        this.upstream.close();
    }

    private String call(String path) {
        return application
                .getBean(WebClient.class)
                .get()
                .uri(this.upstream.url(path))
                .retrieve()
                .bodyToMono(String.class)
                .block();
    }

    private String sent(int request) {
        return String.join(",", this.upstream.requests().get(request).header(HEADER));
    }

    /** C40: the response has gone out, and the call of the audit is still cut at the end of the budget. */
    @Test
    void cutsAsyncWorkAfterTheRequestHasEnded() throws Exception {
        CompletableFuture<String> audit;
        try (Deadlines.Started started = deadlines.start(Duration.ofMillis(400))) {
            audit = application.getBean(Audit.class).record(this.upstream.url("/drip"));
        }

        assertThat(audit)
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .withCauseInstanceOf(DeadlineExceededException.class)
                .havingCause()
                .satisfies(cause ->
                        assertThat(((DeadlineExceededException) cause).reason()).isEqualTo(Reason.BUDGET_EXHAUSTED));
        this.upstream.awaitAllClosed();
    }

    /** C40: detached work is neither cut nor shortened by the request. */
    @Test
    void leavesDetachedWorkAlone() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        CompletableFuture<String> audit = new CompletableFuture<>();
        try (Deadlines.Started started = deadlines.start(Duration.ofMillis(50))) {
            started.deadline().onCancel(reason -> over.countDown());
            decorated.execute(deadlines.detached(LONG, () -> {
                try {
                    assertThat(over.await(10, TimeUnit.SECONDS)).isTrue();
                    audit.complete(call("/ok"));
                } catch (InterruptedException | RuntimeException ex) {
                    audit.completeExceptionally(ex);
                }
            }));
            assertThat(over.await(10, TimeUnit.SECONDS)).isTrue();
        }

        assertThat(audit).succeedsWithin(Duration.ofSeconds(10)).isEqualTo("ok");
        assertThat(Integer.parseInt(sent(0))).isGreaterThan(40_000);
    }

    /** C41: each stage is bounded by the right deadline, and the value outlives what it was opened for. */
    @Test
    void carriesTheDeadlineThroughStages() {
        CompletableFuture<String> stages;
        try (Deadlines.Started started = deadlines.start(LONG)) {
            stages = CompletableFuture.supplyAsync(() -> call("/ok"), decorated)
                    .thenCombine(CompletableFuture.supplyAsync(() -> call("/ok"), second), (one, other) -> one + other);
        }

        assertThat(stages).succeedsWithin(Duration.ofSeconds(10)).isEqualTo("okok");
        assertThat(Integer.parseInt(sent(0))).isBetween(40_000, 60_000);
        assertThat(Integer.parseInt(sent(1))).isBetween(40_000, 60_000);
    }

    /** C41: an executor that nobody decorated knows no deadline, which is not an error. */
    @Test
    void leavesOtherExecutorsAsTheyWere() {
        CompletableFuture<String> plain;
        try (Deadlines.Started started = deadlines.start(LONG)) {
            plain = CompletableFuture.supplyAsync(() -> call("/ok"), task -> new Thread(task, "plain").start());
            plain.join();
        }

        assertThat(sent(0)).isEmpty();
    }

    /** C41: on an executor of the JDK's, wrapped as context propagation does it, and in a stage on another. */
    @Test
    void carriesTheDeadlineToAWrappedExecutor() {
        ExecutorService plain = Executors.newSingleThreadExecutor();
        ExecutorService wrapped = ContextExecutorService.wrap(plain, SNAPSHOTS::captureAll);
        try (Deadlines.Started started = deadlines.start(LONG)) {
            CompletableFuture.supplyAsync(() -> call("/ok"), wrapped)
                    .thenApplyAsync(answer -> answer + call("/ok"), decorated)
                    .join();
        } finally {
            plain.shutdown();
        }

        assertThat(Integer.parseInt(sent(0))).isBetween(40_000, 60_000);
    }

    /** C41: a parallel stream runs on threads of the JVM, so the snapshot is taken along by hand. */
    @Test
    void carriesTheDeadlineIntoAParallelStream() {
        try (Deadlines.Started started = deadlines.start(LONG)) {
            ContextSnapshot snapshot = SNAPSHOTS.captureAll();
            List<String> answers = IntStream.range(0, 8)
                    .parallel()
                    .mapToObj(number -> {
                        try (ContextSnapshot.Scope scope = snapshot.setThreadLocals()) {
                            return call("/ok");
                        }
                    })
                    .toList();
            assertThat(answers).hasSize(8).containsOnly("ok");
        }

        assertThat(IntStream.range(0, 8).mapToObj(this::sent))
                .allSatisfy(left -> assertThat(Integer.parseInt(left)).isBetween(40_000, 60_000));
        assertThat(CompletableFuture.supplyAsync(Deadline::current).join()).isSameAs(Deadline.none());
    }

    /** C41: without that, such a thread knows no deadline, which is not an error. */
    @Test
    void leavesTheCommonPoolAsItWas() {
        try (Deadlines.Started started = deadlines.start(LONG)) {
            // Not one of the pool's if the machine has a single processor, but never one that carries.
            assertThat(CompletableFuture.supplyAsync(() -> call("/ok")).join()).isEqualTo("ok");
        }

        assertThat(sent(0)).isEmpty();
    }

    /** C38: the next task on a pooled thread sees nothing of the last. */
    @Test
    void leavesNothingOnThePooledThread() {
        try (Deadlines.Started started = deadlines.start(LONG)) {
            assertThat(CompletableFuture.supplyAsync(() -> Deadline.current().isBounded(), second)
                            .join())
                    .isTrue();
        }

        assertThat(CompletableFuture.supplyAsync(Deadline::current, second).join())
                .isSameAs(Deadline.none());
    }

    interface Audit {

        CompletableFuture<String> record(String url);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableAsync
    static class Audited {

        @Bean
        WebClient webClient(WebClient.Builder builder) {
            return builder.build();
        }

        @Bean
        ContextPropagatingTaskDecorator decorator() {
            return new ContextPropagatingTaskDecorator();
        }

        @Bean
        ThreadPoolTaskExecutor applicationTaskExecutor(ContextPropagatingTaskDecorator decorator) {
            return executor(decorator, 4);
        }

        @Bean
        ThreadPoolTaskExecutor second(ContextPropagatingTaskDecorator decorator) {
            return executor(decorator, 1);
        }

        private static ThreadPoolTaskExecutor executor(ContextPropagatingTaskDecorator decorator, int threads) {
            ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
            executor.setCorePoolSize(threads);
            executor.setTaskDecorator(decorator);
            return executor;
        }

        @Bean
        Audit audit(WebClient client) {
            return new CallingAudit(client);
        }
    }

    static class CallingAudit implements Audit {

        private final WebClient client;

        CallingAudit(WebClient client) {
            this.client = client;
        }

        @Override
        @Async("applicationTaskExecutor")
        public CompletableFuture<String> record(String url) {
            String answer = this.client
                    .get()
                    .uri(url)
                    .retrieve()
                    .bodyToMono(String.class)
                    .block();
            return CompletableFuture.completedFuture(answer);
        }
    }
}
