package dev.deadline.compat.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoTimeoutException;
import dev.deadline.Deadlines;
import feign.Feign;
import feign.RequestLine;
import feign.Retryer;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.lettuce.core.RedisCommandInterruptedException;
import io.lettuce.core.RedisCommandTimeoutException;
import java.time.Duration;
import okhttp3.Call;
import okhttp3.EventListener;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The "give up" check of retries knows what these clients throw when they are called off, and their timeouts from it. */
class CancellationTests {

    // Some constructors set it, as the client does that was interrupted.
    @AfterEach
    void clearFlag() {
        Thread.interrupted();
    }

    @ParameterizedTest
    @EnumSource
    void knowsStatusOfGrpc(Code code) {
        boolean calledOff = code == Code.CANCELLED || code == Code.DEADLINE_EXCEEDED;
        Status status = code.toStatus();

        assertThat(Deadlines.isCancellation(status.asException())).isEqualTo(calledOff);
        assertThat(Deadlines.isCancellation(status.asRuntimeException())).isEqualTo(calledOff);
        assertThat(Deadlines.isCancellation(status.withDescription("CANCELLED").asRuntimeException()))
                .isEqualTo(calledOff);
    }

    @Test
    void knowsInterruptsOfLettuceMongoAndKafka() {
        InterruptedException interrupt = new InterruptedException();

        assertThat(Deadlines.isCancellation(new RedisCommandInterruptedException(null)))
                .isTrue();
        assertThat(Deadlines.isCancellation(new MongoInterruptedException("Interrupted", null)))
                .isTrue();
        assertThat(Deadlines.isCancellation(new InterruptException("Interrupted")))
                .isTrue();
        assertThat(Deadlines.isCancellation(new MongoInterruptedException("Interrupted", interrupt)))
                .isTrue();
        assertThat(Deadlines.isCancellation(new RedisCommandTimeoutException())).isFalse();
        assertThat(Deadlines.isCancellation(new MongoTimeoutException("Timed out")))
                .isFalse();
        assertThat(Deadlines.isCancellation(new TimeoutException())).isFalse();
    }

    @Test
    void knowsACancelledCallOfOkHttpAlsoInsideOfFeign() throws Exception {
        try (SilentServer server = new SilentServer()) {
            OkHttpClient cancelling = new OkHttpClient.Builder()
                    .eventListener(new EventListener() {
                        @Override
                        public void callStart(Call call) {
                            call.cancel();
                        }
                    })
                    .build();

            assertThat(Deadlines.isCancellation(failureOf(cancelling, server))).isTrue();
            Page page = Feign.builder()
                    .client(new feign.okhttp.OkHttpClient(cancelling))
                    .retryer(Retryer.NEVER_RETRY)
                    .target(Page.class, server.url());
            assertThat(Deadlines.isCancellation(catchThrowable(page::get))).isTrue();
        }
    }

    @Test
    void takesTheTimeoutsOfOkHttpForOrdinaryFailures() throws Exception {
        Duration limit = Duration.ofMillis(50);
        try (SilentServer server = new SilentServer()) {
            OkHttpClient whole = new OkHttpClient.Builder().callTimeout(limit).build();
            OkHttpClient read = new OkHttpClient.Builder().readTimeout(limit).build();

            assertThat(Deadlines.isCancellation(failureOf(whole, server))).isFalse();
            assertThat(Deadlines.isCancellation(failureOf(read, server))).isFalse();
        }
    }

    private interface Page {

        @RequestLine("GET /")
        String get();
    }

    private static Throwable failureOf(OkHttpClient client, SilentServer server) {
        Request request = new Request.Builder().url(server.url()).build();
        Throwable failure = catchThrowable(() -> client.newCall(request).execute());
        assertThat(failure).isNotNull();
        return failure;
    }
}
