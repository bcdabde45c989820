package dev.deadline.compat.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.Deadline;
import dev.deadline.compat.clients.SilentServer.Manner;
import java.io.IOException;
import java.time.Duration;
import okhttp3.Call;
import okhttp3.EventListener;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OkHttpTests {

    private static final Duration OWN = Duration.ofMillis(500);

    private static final OkHttpClient PLAIN =
            new OkHttpClient.Builder().readTimeout(OWN).build();

    private static final OkHttpClient BOUNDED = new OkHttpClient.Builder()
            .eventListenerFactory(call -> new CancelAtDeadline())
            .build();

    /** As on the page: one for each call. */
    static final class CancelAtDeadline extends EventListener {

        private Deadline.Registration registration = () -> {};

        @Override
        public void callStart(Call call) {
            this.registration = Deadline.current().onCancel(reason -> call.cancel());
        }

        @Override
        public void callEnd(Call call) {
            this.registration.close();
        }

        @Override
        public void callFailed(Call call, IOException failure) {
            this.registration.close();
        }
    }

    private static String get(OkHttpClient client, SilentServer server) throws IOException {
        Request request = new Request.Builder().url(server.url()).build();
        try (Response response = client.newCall(request).execute()) {
            return response.body().string();
        }
    }

    @EnabledIfSystemProperty(named = "deadline.slow-tests", matches = "true")
    @ParameterizedTest
    @MethodSource("dev.deadline.compat.clients.Threads#available")
    void ignoresInterruptsOnPlatformThreads(Threads threads) throws Exception {
        try (SilentServer server = new SilentServer()) {
            CutCall.of(threads, () -> get(PLAIN, server)).assertBackAfterUnlessVirtual(OWN, threads);
            server.awaitClosed(1);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.deadline.compat.clients.Threads#available")
    void isCutByAListener(Threads threads) throws Exception {
        try (SilentServer server = new SilentServer()) {
            CutCall.of(threads, () -> get(BOUNDED, server)).assertBackAtTheDeadline();
            server.awaitClosed(1);
            server.be(Manner.DRIPPING);
            CutCall.of(threads, () -> get(BOUNDED, server)).assertBackAtTheDeadline();
            server.awaitClosed(2);
            server.be(Manner.ANSWERING);
            assertThat(CutCall.on(threads, () -> get(BOUNDED, server))).isEqualTo("ok");
        }
    }
}
