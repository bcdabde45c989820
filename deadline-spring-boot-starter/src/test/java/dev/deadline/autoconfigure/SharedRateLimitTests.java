package dev.deadline.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.DeadlineListener;
import dev.deadline.gateway.Bouncer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.mock.web.MockHttpServletRequest;
import redis.embedded.RedisServer;

/** Two instances of an application that share a real Redis, through the connection that Boot sets up. */
class SharedRateLimitTests {

    private static final String PREFIX = "deadline.gateway.rate-limit.";

    private final AtomicInteger failures = new AtomicInteger();

    private int port;

    private RedisServer server;

    private WebApplicationContextRunner instance;

    @BeforeEach
    void start() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            this.port = free.getLocalPort();
        }
        this.server = new RedisServer(this.port);
        this.server.start();
        DeadlineListener listener = new DeadlineListener() {
            @Override
            public void limitStoreFailed() {
                SharedRateLimitTests.this.failures.incrementAndGet();
            }
        };
        this.instance = new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DeadlineAutoConfiguration.class,
                        DeadlineRedisRateLimitAutoConfiguration.class,
                        DeadlineRateLimitAutoConfiguration.class,
                        RedisAutoConfiguration.class))
                .withBean(DeadlineListener.class, () -> listener)
                .withPropertyValues(
                        "spring.data.redis.host=localhost",
                        "spring.data.redis.port=" + this.port,
                        PREFIX + "store=redis",
                        PREFIX + "redis.timeout=2s",
                        PREFIX + "rules[0].limit=40",
                        PREFIX + "rules[0].period=1h");
    }

    @AfterEach
    void stop() throws IOException {
        this.server.stop();
    }

    @Test
    void admitTogetherWhatOneLimitAllows() {
        this.instance.run(one -> this.instance.run(other -> {
            int admitted = 0;
            for (int i = 0; i < 100; i++) {
                Bouncer bouncer = ((i % 2 == 0) ? one : other).getBean(Bouncer.class);
                admitted += asks(bouncer) ? 1 : 0;
            }

            assertThat(this.failures).hasValue(0);
            assertThat(admitted).isEqualTo(40);
        }));
    }

    /** Spring Data is stopped and started again, as for a checkpoint, and has another client then. */
    @Test
    void goOnWithANewClientOfSpringData() {
        this.instance.run(context -> {
            Bouncer bouncer = context.getBean(Bouncer.class);
            asks(bouncer);
            LettuceConnectionFactory factory = context.getBean(LettuceConnectionFactory.class);
            factory.stop();
            factory.start();

            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
                int before = this.failures.get();
                asks(bouncer);
                return this.failures.get() == before;
            });
        });
    }

    private static boolean asks(Bouncer bouncer) {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/");
        request.setRemoteAddr("192.0.2.1");
        return bouncer.check(request) == null;
    }
}
