package dev.deadline.compat.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deadline.Steps;
import dev.deadline.compat.webclient.Repeated;
import java.io.EOFException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** C81: deadlines keep firing until the last request is answered, and nothing is left of the library afterwards. */
class ShutdownTests {

    private static final int RESTARTS = Boolean.getBoolean("deadline.slow-tests") ? 20 : 3;

    @ParameterizedTest
    @EnumSource
    void cutsRequestsThatAreUnderWayWhenTheApplicationStops(Server server) {
        // Tomcat takes a request for done just before its answer is written, and on a busy machine stops in between.
        Repeated.until(() -> answersWhileItStops(server));
        await().until(() -> ownThreads().isEmpty());
    }

    private static boolean answersWhileItStops(Server server) throws Exception {
        RunningApplication app = server.start("deadline.budget=500ms", "server.shutdown=graceful");
        try (RawConnection connection = new RawConnection(app.port())) {
            connection.send("GET /client/waits/1?millis=15000 HTTP/1.1\r\nHost: localhost\r\n\r\n");
            await().until(() -> app.inFlight() == 1);

            CompletableFuture<Void> closed = CompletableFuture.runAsync(app::close);

            try {
                RawAnswer answer = connection.readAnswer();
                // The step falls back in the end; which of the two it is depends on how much is left then.
                assertThat(answer.status()).isIn(200, 503);
                assertThat(answer.header("X-Degraded")).isNotEmpty();
                return true;
            } catch (EOFException ex) {
                assertThat(server).isEqualTo(Server.TOMCAT);
                return false;
            } finally {
                closed.get(20, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void leavesNoThreadBehindWhenTheApplicationIsRestarted() throws Exception {
        for (int i = 0; i < RESTARTS; i++) {
            try (ConfigurableApplicationContext context = start()) {
                // So that the helpers of the watchdog have run as well.
                context.getBean(Steps.class)
                        .open("slow")
                        .timeout(Duration.ofMillis(5))
                        .call(() -> new CountDownLatch(1).await(10, TimeUnit.SECONDS), failure -> false);
                assertThat(ownThreads()).isNotEmpty();
            }
        }
        await().until(() -> ownThreads().isEmpty());
    }

    private static ConfigurableApplicationContext start() {
        return new SpringApplicationBuilder(Plain.class)
                .web(WebApplicationType.NONE)
                .properties("spring.main.banner-mode=off", "logging.level.root=warn")
                .run();
    }

    private static List<String> ownThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .filter(name -> name.startsWith("deadline-"))
                .toList();
    }

    @Test
    void doesNotKeepAProcessAliveThatHasNoWebServer() throws Exception {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath,
                        Plain.class.getName())
                .inheritIO()
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Plain {

        /** Ends without closing its context. */
        public static void main(String[] arguments) throws Exception {
            start().getBean(Steps.class).closed("quick").call(() -> "done");
        }
    }
}
