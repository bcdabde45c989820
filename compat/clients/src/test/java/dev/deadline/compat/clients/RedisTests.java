package dev.deadline.compat.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deadline.Deadline;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPooled;
import redis.embedded.RedisServer;

class RedisTests {

    private static final Duration OWN = Duration.ofMillis(500);

    private static int port;

    private static RedisServer server;

    private static RedisClient lettuce;

    @BeforeAll
    static void start() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        server = new RedisServer(port);
        server.start();
        lettuce = RedisClient.create("redis://localhost:" + port);
        try (StatefulRedisConnection<String, String> connection = lettuce.connect()) {
            connection.sync().set("key", "value");
        }
    }

    @AfterAll
    static void stop() throws IOException {
        lettuce.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        server.stop();
    }

    /** The thread is free, but the command is not taken back: what comes after it on the connection waits. */
    @EnabledIfSystemProperty(named = "deadline.slow-tests", matches = "true")
    @ParameterizedTest
    @MethodSource("dev.deadline.compat.clients.Threads#available")
    void lettuceEndsByTheInterruptAndKeepsTheCommand(Threads threads) throws Exception {
        try (StatefulRedisConnection<String, String> connection = lettuce.connect()) {
            CutCall.of(threads, () -> connection.sync().blpop(1.0, "nothing")).assertBackAtTheDeadline();

            long start = System.nanoTime();
            assertThat(CutCall.on(threads, () -> connection.sync().get("key"))).isEqualTo("value");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(300));
        }
    }

    /** As on the page, for a command that blocks, on a connection of its own. */
    @ParameterizedTest
    @MethodSource("dev.deadline.compat.clients.Threads#available")
    void lettuceClosesAConnectionOfItsOwn(Threads threads) throws Exception {
        CutCall.of(threads, () -> {
                    try (StatefulRedisConnection<String, String> own = lettuce.connect();
                            Deadline.Registration registration =
                                    Deadline.current().onCancel(reason -> own.closeAsync())) {
                        return own.sync().blpop(20, "nothing");
                    }
                })
                .assertBackAtTheDeadline();
        try (StatefulRedisConnection<String, String> other = lettuce.connect()) {
            assertThat(other.sync().get("key")).isEqualTo("value");
            assertThat(other.sync().clientList().lines().filter(line -> line.contains("cmd=blpop")))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.deadline.compat.clients.Threads#available")
    void lettuceEndsByTheInterruptWhileConnecting(Threads threads) throws Exception {
        try (SilentServer silent = new SilentServer()) {
            RedisClient client = RedisClient.create("redis://localhost:" + silent.port());
            CutCall.of(threads, client::connect).assertBackAtTheDeadline();
            client.shutdownAsync();
        }
    }

    @EnabledIfSystemProperty(named = "deadline.slow-tests", matches = "true")
    @ParameterizedTest
    @MethodSource("dev.deadline.compat.clients.Threads#available")
    void jedisIgnoresInterruptsOnPlatformThreads(Threads threads) throws Exception {
        try (SilentServer silent = new SilentServer();
                JedisPooled jedis = new JedisPooled(
                        new HostAndPort("localhost", silent.port()),
                        DefaultJedisClientConfig.builder()
                                .socketTimeoutMillis((int) OWN.toMillis())
                                .build())) {
            CutCall.of(threads, () -> jedis.get("key")).assertBackAfterUnlessVirtual(OWN, threads);
            silent.awaitClosed(1);
        }
    }

    /** As on the page. */
    @ParameterizedTest
    @MethodSource("dev.deadline.compat.clients.Threads#available")
    void jedisIsCutByAHook(Threads threads) throws Exception {
        try (JedisPooled jedis = new JedisPooled("localhost", port)) {
            // Jedis connects again for a command that has not begun when the hook runs, as on a busy machine.
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> CutCall.of(threads, () -> {
                                try (Connection connection = jedis.getPool().getResource();
                                        Deadline.Registration registration =
                                                Deadline.current().onCancel(reason -> connection.disconnect())) {
                                    return new Jedis(connection).blpop(5, "nothing");
                                }
                            })
                            .assertBackAtTheDeadline());
            assertThat(CutCall.on(threads, () -> jedis.get("key"))).isEqualTo("value");
            assertThat(jedis.getPool().getNumActive()).isZero();
        }
    }
}
