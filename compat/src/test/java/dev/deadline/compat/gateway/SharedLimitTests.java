package dev.deadline.compat.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.springframework.context.ConfigurableApplicationContext;
import redis.embedded.RedisServer;

/** Two instances of an application that share a limit in one Redis. */
@EnabledIfSystemProperty(named = "deadline.slow-tests", matches = "true")
class SharedLimitTests {

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    // A client that is held up for less than this loses nothing of what it may have.
    private static final int BURST_SECONDS = 3;

    private static final int PER_SECOND = 100;

    // Long enough for a busy machine.
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private static final int CALLERS = 4;

    private final List<ConfigurableApplicationContext> instances = new ArrayList<>();

    private final ExecutorService threads = Executors.newFixedThreadPool(CALLERS);

    private volatile boolean on;

    private RedisServer redis;

    @BeforeEach
    void start() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        this.redis = new RedisServer(port);
        this.redis.start();
        for (int i = 0; i < 2; i++) {
            String rule = "deadline.gateway.rate-limit.rules[0].";
            this.instances.add(LimitedApplication.start(
                    "spring.data.redis.host=127.0.0.1",
                    "spring.data.redis.port=" + port,
                    "deadline.gateway.rate-limit.store=redis",
                    "deadline.gateway.rate-limit.redis.timeout=" + TIMEOUT.toMillis() + "ms",
                    rule + "paths=/open",
                    rule + "limit=" + PER_SECOND,
                    rule + "period=1s",
                    rule + "burst=" + BURST_SECONDS * PER_SECOND));
        }
    }

    @AfterEach
    void stop() throws IOException {
        this.threads.shutdownNow();
        this.instances.forEach(ConfigurableApplicationContext::close);
        this.redis.stop();
    }

    @Test
    void admitTogetherWhatTheLimitAllowsAndLoseNoRequestWhenRedisGoesAway() throws Exception {
        // The first request waits for the connection, or is let in without.
        for (ConfigurableApplicationContext instance : this.instances) {
            Awaitility.await().atMost(10, TimeUnit.SECONDS).until(() -> isCounted(instance));
        }

        int unansweredBefore = failures();
        long begin = System.nanoTime();
        List<Future<Answers>> callers = callers();
        Awaitility.await()
                .atMost(60, TimeUnit.SECONDS)
                .until(() -> System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(BURST_SECONDS + 2));
        Answers counted = ended(callers);
        double seconds = (System.nanoTime() - begin) / 1e9;

        double allowed = PER_SECOND * (BURST_SECONDS + seconds);
        assertThat((double) counted.admitted).isBetween(allowed * 0.95, allowed * 1.05);
        assertThat(failures()).isEqualTo(unansweredBefore);

        callers = callers();
        this.redis.stop();
        for (ConfigurableApplicationContext instance : this.instances) {
            int before = failures(instance);
            Awaitility.await().atMost(20, TimeUnit.SECONDS).until(() -> failures(instance) - before > 100);
        }
        this.redis.start();
        for (ConfigurableApplicationContext instance : this.instances) {
            Awaitility.await().atMost(20, TimeUnit.SECONDS).until(() -> isCounted(instance));
        }
        Answers during = ended(callers);

        assertThat(during.others).isZero();
        assertThat(during.admitted).isGreaterThan(200);
        assertThat(during.longest).isLessThan(TIMEOUT.toNanos() + TimeUnit.SECONDS.toNanos(1));
    }

    /** Whether requests are: one that is let in for want of an answer is told of. */
    private static boolean isCounted(ConfigurableApplicationContext instance) throws Exception {
        int before = failures(instance);
        int status = status(instance);
        return (status == 200 || status == 429) && failures(instance) == before;
    }

    private int failures() {
        return this.instances.stream().mapToInt(SharedLimitTests::failures).sum();
    }

    private static int failures(ConfigurableApplicationContext instance) {
        return instance.getBean(LimitedApplication.Heard.class).storeFailures.get();
    }

    private List<Future<Answers>> callers() {
        this.on = true;
        List<Future<Answers>> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            ConfigurableApplicationContext instance = this.instances.get(i % 2);
            callers.add(this.threads.submit(() -> {
                Answers answers = new Answers();
                while (this.on) {
                    long start = System.nanoTime();
                    answers.add(status(instance), System.nanoTime() - start);
                }
                return answers;
            }));
        }
        return callers;
    }

    private Answers ended(List<Future<Answers>> callers)
            throws InterruptedException, ExecutionException, TimeoutException {
        this.on = false;
        Answers all = new Answers();
        for (Future<Answers> caller : callers) {
            all.add(caller.get(20, TimeUnit.SECONDS));
        }
        return all;
    }

    private static int status(ConfigurableApplicationContext instance) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + StampApplication.port(instance) + "/open");
        return CLIENT.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding())
                .statusCode();
    }

    private static final class Answers {

        private int admitted;

        private int others;

        private long longest;

        void add(int status, long nanos) {
            this.admitted += (status == 200) ? 1 : 0;
            this.others += (status != 200 && status != 429) ? 1 : 0;
            this.longest = Math.max(this.longest, nanos);
        }

        void add(Answers more) {
            this.admitted += more.admitted;
            this.others += more.others;
            this.longest = Math.max(this.longest, more.longest);
        }
    }
}
