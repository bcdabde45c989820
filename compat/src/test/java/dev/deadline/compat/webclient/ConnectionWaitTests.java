package dev.deadline.compat.webclient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.deadline.DeadlineExceededException;
import dev.deadline.Deadlines;
import dev.deadline.http.NettyConnectionWatch;
import io.netty.channel.Channel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.Disposable;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** Whatever a call waits for before it can be sent: the caller is released in time, and told what it was. */
class ConnectionWaitTests {

    private static final Duration BUDGET = Duration.ofMillis(300);

    private static ConfigurableApplicationContext application;

    private static Deadlines deadlines;

    private final Queue<Channel> channels = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void start() {
        application = WebClientApplication.start();
        deadlines = application.getBean(Deadlines.class);
        FaultServer.warmUp(application.getBean(WebClient.Builder.class).build());
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private WebClient client(HttpClient http) {
        HttpClient watched = new NettyConnectionWatch()
                .apply(http.doOnChannelInit((observer, channel, address) -> this.channels.add(channel)));
        return application
                .getBean(WebClient.Builder.class)
                .clientConnector(new ReactorClientHttpConnector(watched))
                .build();
    }

    /** Makes the call until its time is up in that phase. */
    private static void exceededIn(String phase, WebClient client, String url) {
        Repeated.until(message -> message.contains(phase), () -> exceeded(client, url));
    }

    private static String exceeded(WebClient client, String url) {
        long begin = System.nanoTime();
        try (Deadlines.Started started = deadlines.start(BUDGET)) {
            DeadlineExceededException failure = catchThrowableOfType(
                    DeadlineExceededException.class,
                    () -> client.get().uri(url).retrieve().toBodilessEntity().block());
            assertThat(failure).isNotNull();
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(BUDGET.plusSeconds(1));
            return failure.getCause().getMessage();
        }
    }

    private void awaitChannelsClosed() {
        assertThat(this.channels).isNotEmpty();
        Awaitility.await()
                .atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertThat(this.channels).noneMatch(Channel::isOpen));
    }

    /** C02: the wait for the pool is inside the call's time, is named, and no connection is made afterwards. */
    @Test
    void namesThePoolWait() throws IOException {
        ConnectionProvider pool = ConnectionProvider.create("one", 1);
        WebClient client = client(HttpClient.create(pool));
        try (FaultServer upstream = new FaultServer()) {
            Disposable slow = client.get()
                    .uri(upstream.url("/silent"))
                    .retrieve()
                    .toBodilessEntity()
                    .subscribe();
            Awaitility.await().until(() -> upstream.requests().size() == 1);

            exceededIn("pool wait", client, upstream.url("/ok"));

            slow.dispose();
            upstream.awaitAllClosed();
            assertThat(upstream.accepted()).isEqualTo(1);
            assertThat(upstream.requests()).hasSize(1);
        } catch (InterruptedException ex) {
            throw new IllegalStateException(ex);
        } finally {
            pool.dispose();
        }
    }

    /** C04: a name server that is silent does not hold the caller. */
    @Test
    void namesTheResolutionOfTheName() {
        WebClient client = client(HttpClient.newConnection().resolver(new SilentResolver()));

        exceededIn("name resolution", client, "http://upstream.test/");
        awaitChannelsClosed();
    }

    @Test
    void namesTheConnect() throws IOException {
        try (FullBacklog full = new FullBacklog()) {
            WebClient client = client(HttpClient.newConnection());

            exceededIn("in: connect", client, full.url());
            awaitChannelsClosed();
        }
    }

    @Test
    void namesTheHandshakeAndClosesTheConnection() throws Exception {
        try (ServerSocket mute = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            WebClient client = client(HttpClient.newConnection().secure());

            // The first handshake of all has classes to load.
            exceededIn("TLS handshake", client, "https://localhost:" + mute.getLocalPort());
            try (Socket accepted = mute.accept()) {
                accepted.setSoTimeout((int) TimeUnit.SECONDS.toMillis(5));
                assertThatIsClosedByClient(accepted);
            }
        }
    }

    private static void assertThatIsClosedByClient(Socket accepted) throws IOException {
        byte[] hello = new byte[4096];
        try {
            int read = accepted.getInputStream().read(hello);
            while (read > 0) {
                read = accepted.getInputStream().read(hello);
            }
            assertThat(read).isEqualTo(-1);
        } catch (SocketException ex) {
            assertThat(ex).hasMessageContaining("reset");
        }
    }

    /** The client that Boot builds is watched without anything being done. */
    @Test
    void watchesTheClientOfBoot() throws Exception {
        try (ServerSocket mute = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            WebClient client = application.getBean(WebClient.Builder.class).build();

            // The first handshake of all has classes to load.
            exceededIn("TLS handshake", client, "https://localhost:" + mute.getLocalPort());
        }
    }
}
