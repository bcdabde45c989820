package dev.deadline.compat.restclient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deadline.Deadline;
import dev.deadline.DeadlineExceededException;
import dev.deadline.Deadlines;
import dev.deadline.compat.webclient.FaultServer;
import dev.deadline.compat.webclient.WebClientApplication;
import dev.deadline.http.BlockingClients;
import dev.deadline.http.DeadlineExchangeFilter;
import dev.deadline.http.NettyConnectionWatch;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.ReactorClientHttpRequestFactory;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.netty.http.client.HttpClient;

/** A body that is cut while more of it is queued gives back the memory that the queue holds: clients on Netty count theirs. */
@EnabledIfSystemProperty(named = "deadline.slow-tests", matches = "true")
class CutBodyMemoryTests {

    private static final int CALLS = 20;

    private static ConfigurableApplicationContext application;

    /** Counts exactly, which one with pools and caches does not. */
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);

    private final FaultServer upstream = new FaultServer();

    private final AtomicInteger bodies = new AtomicInteger();

    @BeforeAll
    static void start() {
        application = WebClientApplication.start();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @AfterEach
    void close() throws IOException {
        this.upstream.close();
    }

    private HttpClient netty() {
        return new NettyConnectionWatch()
                .apply(HttpClient.newConnection().option(ChannelOption.ALLOCATOR, this.allocator));
    }

    private RestClient blocking() {
        ClientHttpRequestFactory factory = new ReactorClientHttpRequestFactory(netty());
        return RestClient.builder()
                .requestFactory(application.getBean(BlockingClients.class).bound(factory))
                .build();
    }

    private static Deadlines.Started budget(int call) {
        return application.getBean(Deadlines.class).start(Duration.ofMillis(25 + call));
    }

    private void assertAllGivenBack() {
        // On a busy machine the time of some is up before that.
        assertThat(this.bodies).hasValueGreaterThan(2);
        await().untilAsserted(() -> {
            assertThat(this.allocator.metric().usedDirectMemory()).isZero();
            assertThat(this.allocator.metric().usedHeapMemory()).isZero();
        });
    }

    /** What a caller does with a body until the time is up. */
    private interface Use {

        void of(ClientHttpResponse response) throws IOException;
    }

    private void flood(RestClient client, Use use) {
        for (int call = 0; call < CALLS; call++) {
            try (Deadlines.Started started = budget(call)) {
                client.get().uri(this.upstream.url("/flood")).exchange((request, response) -> {
                    this.bodies.incrementAndGet();
                    use.of(response);
                    return true;
                });
            } catch (DeadlineExceededException ex) {
                // As it should be.
            }
        }
    }

    private static void readSlowly(InputStream body) throws IOException {
        while (body.read() >= 0) {
            Thread.onSpinWait();
        }
    }

    private static void awaitDeadline() {
        await().until(Deadline.current()::isExpired);
    }

    @Test
    void isGivenBackWhenReadingIsRefused() {
        flood(blocking(), response -> readSlowly(response.getBody()));

        assertAllGivenBack();
    }

    @Test
    void isGivenBackWhenOnlyTheBodyIsClosed() {
        RestClient client = blocking();
        for (int call = 0; call < CALLS; call++) {
            try (Deadlines.Started started = budget(call)) {
                InputStream taken = client.get()
                        .uri(this.upstream.url("/flood"))
                        .exchange((request, response) -> response.getBody(), false);
                this.bodies.incrementAndGet();
                try (taken) {
                    readSlowly(taken);
                }
            } catch (DeadlineExceededException | IOException ex) {
                // As it should be.
            }
        }

        assertAllGivenBack();
    }

    @Test
    void isGivenBackWhenTheBodyIsTakenAndNotRead() {
        flood(blocking(), response -> {
            response.getBody();
            awaitDeadline();
        });

        assertAllGivenBack();
    }

    @Test
    void isGivenBackWhenTheBodyIsNotTaken() {
        flood(blocking(), response -> awaitDeadline());

        assertAllGivenBack();
    }

    /** The time is up at any moment from the request to the first bytes of the body. */
    @Test
    void isGivenBackWhenTheAnswerComesTooLate() {
        RestClient client = blocking();
        flood(client, response -> response.getBody().read());
        for (int call = 0; call < 300; call++) {
            try (Deadlines.Started started =
                    application.getBean(Deadlines.class).start(Duration.ofNanos(1_100_000 + call * 15_000))) {
                client.get().uri(this.upstream.url("/flood")).retrieve().toBodilessEntity();
            } catch (DeadlineExceededException ex) {
                // As it should be.
            }
        }

        assertAllGivenBack();
    }

    @Test
    void isGivenBackByWebClient() {
        WebClient client = WebClient.builder()
                .clientConnector(new ReactorClientHttpConnector(netty()))
                .apply(application.getBean(DeadlineExchangeFilter.class)::addTo)
                .build();
        for (int call = 0; call < CALLS; call++) {
            try (Deadlines.Started started = budget(call)) {
                client.get()
                        .uri(this.upstream.url("/flood"))
                        .exchangeToFlux(response -> {
                            this.bodies.incrementAndGet();
                            return response.bodyToFlux(DataBuffer.class);
                        })
                        .doOnNext(DataBufferUtils::release)
                        .blockLast();
            } catch (DeadlineExceededException ex) {
                // As it should be.
            }
        }

        assertAllGivenBack();
    }
}
