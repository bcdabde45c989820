package dev.deadline.compat.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.compat.clients.SilentServer.Manner;
import feign.Client;
import feign.Feign;
import feign.Request;
import feign.RequestLine;
import feign.Retryer;
import feign.hc5.ApacheHttp5Client;
import feign.http2client.Http2Client;
import feign.okhttp.OkHttpClient;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FeignTests {

    private static final Duration OWN = Duration.ofMillis(500);

    private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

    interface Api {

        @RequestLine("GET /")
        String get();
    }

    private static Api api(Client client, SilentServer server, Duration readTimeout) {
        return Feign.builder()
                .client(client)
                .retryer(Retryer.NEVER_RETRY)
                .options(new Request.Options(10, TimeUnit.SECONDS, readTimeout.toMillis(), TimeUnit.MILLISECONDS, true))
                .target(Api.class, server.url());
    }

    @EnabledIfSystemProperty(named = "deadline.slow-tests", matches = "true")
    @ParameterizedTest
    @MethodSource("dev.deadline.compat.clients.Threads#available")
    void ignoresInterruptsOnPlatformThreads(Threads threads) throws Exception {
        for (Client client : new Client[] {new Client.Default(null, null), new ApacheHttp5Client()}) {
            try (SilentServer server = new SilentServer()) {
                Api api = api(client, server, OWN);
                CutCall.of(threads, api::get).assertBackAfterUnlessVirtual(OWN, threads);
                server.awaitClosed(1);
                server.be(Manner.ANSWERING);
                assertThat(CutCall.on(threads, api::get)).isEqualTo("ok");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.deadline.compat.clients.Threads#available")
    void isCutOverTheClientOfTheJdk(Threads threads) throws Exception {
        try (SilentServer server = new SilentServer()) {
            Api api = api(new Http2Client(), server, TEN_SECONDS);
            CutCall.of(threads, api::get).assertBackAtTheDeadline();
            server.awaitClosed(1);
            server.be(Manner.ANSWERING);
            assertThat(CutCall.on(threads, api::get)).isEqualTo("ok");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.deadline.compat.clients.Threads#available")
    void isCutOverOkHttpWithAListener(Threads threads) throws Exception {
        Client client = new OkHttpClient(new okhttp3.OkHttpClient.Builder()
                .eventListenerFactory(call -> new OkHttpTests.CancelAtDeadline())
                .build());
        try (SilentServer server = new SilentServer()) {
            Api api = api(client, server, TEN_SECONDS);
            CutCall.of(threads, api::get).assertBackAtTheDeadline();
            server.awaitClosed(1);
            server.be(Manner.DRIPPING);
            CutCall.of(threads, api::get).assertBackAtTheDeadline();
            server.awaitClosed(2);
            server.be(Manner.ANSWERING);
            assertThat(CutCall.on(threads, api::get)).isEqualTo("ok");
        }
    }
}
