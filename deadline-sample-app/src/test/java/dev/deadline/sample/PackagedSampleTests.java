package dev.deadline.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar as {@code java -jar} starts it, with what was generated ahead of time. Runs after packaging. */
class PackagedSampleTests {

    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

    @TempDir
    private Path directory;

    private Path log;

    private Process application;

    @BeforeEach
    void start() throws IOException {
        this.log = this.directory.resolve("log");
        this.application = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Dspring.aot.enabled=true",
                        "-jar",
                        System.getProperty("sample.jar"),
                        "--server.port=0",
                        "--sample.upstream.port=0")
                .redirectErrorStream(true)
                .redirectOutput(this.log.toFile())
                .start();
    }

    @AfterEach
    void stop() {
        this.application.destroyForcibly().onExit().join();
    }

    @Test
    void servesThePage() {
        int port = await().atMost(Duration.ofMinutes(1)).until(this::portInLog, found -> found > 0);

        assertThat(log()).contains("Starting AOT-processed SampleApplication");
        // The first requests of a process may be too slow for their steps.
        await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
            Answer answer = Answer.to(port, "/app/home");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("X-Degraded")).isNull();
        });
        Answer degraded = Answer.to(port, "/app/home?flags=hang");
        assertThat(degraded.header("X-Degraded")).contains("flags=upstream_timeout;");
    }

    private int portInLog() {
        assertThat(this.application.isAlive()).as(log()).isTrue();
        Matcher matcher = PORT.matcher(log());
        return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
    }

    private String log() {
        try {
            return Files.readString(this.log);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
