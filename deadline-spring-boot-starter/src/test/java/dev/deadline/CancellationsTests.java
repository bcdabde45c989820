package dev.deadline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.core.exception.AcquirePermissionCancelledException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.catalina.connector.ClientAbortException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.impl.classic.RequestFailedException;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.eclipse.jetty.io.EofException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.util.ConcurrencyThrottleSupport;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

class CancellationsTests {

    static Stream<Throwable> calledOff() {
        return Stream.of(
                new InterruptedException(),
                new InterruptedIOException(),
                new InterruptedIOException("interrupted"),
                new ClosedByInterruptException(),
                new CancellationException(),
                new AcquirePermissionCancelledException(),
                new SocketException("Closed by interrupt"),
                new IOException("Canceled"),
                new RequestFailedException("Request aborted"),
                new ClientAbortException(new IOException("Broken pipe")),
                new AsyncRequestNotUsableException("Response not usable after response errors."),
                new EofException(new IOException("Broken pipe")));
    }

    static Stream<Throwable> ordinary() {
        return Stream.of(
                new IllegalArgumentException("Canceled"),
                new IOException(),
                new IOException("Canceled by the upstream"),
                new ConnectException("Canceled"),
                new EOFException(),
                new SocketException("Connection reset"),
                new AsynchronousCloseException(),
                new RejectedExecutionException(),
                new IllegalStateException(),
                new ConnectionClosedException(),
                new RequestFailedException("Request execution failed", new IOException()));
    }

    static Stream<Throwable> timeLimitsOfClients() {
        return Stream.of(
                new SocketTimeoutException(),
                new ConnectTimeoutException("Connect timed out"),
                new ConnectionRequestTimeoutException(),
                new TimeoutException(),
                new HttpTimeoutException("request timed out"),
                new HttpConnectTimeoutException("HTTP connect timed out"),
                new InterruptedIOException("timeout"),
                new InterruptedIOException("deadline reached"),
                new SQLTimeoutException(),
                new SQLException("canceling statement due to user request", "57014"));
    }

    @ParameterizedTest
    @MethodSource("calledOff")
    void recognisesWhatWasCalledOff(Throwable failure) {
        assertThat(Deadlines.isCancellation(failure)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("ordinary")
    void leavesFailuresAlone(Throwable failure) {
        assertThat(Deadlines.isCancellation(failure)).isFalse();
    }

    @ParameterizedTest
    @MethodSource("timeLimitsOfClients")
    void takesTimeLimitsOfClientsForOrdinaryFailures(Throwable failure) {
        assertThat(Deadlines.isCancellation(failure)).isFalse();
        assertThat(Deadlines.isCancellation(new UncheckedIOException(new IOException(failure))))
                .isFalse();
    }

    @Test
    void takesATimeLimitForOneHoweverTheClientEnforcedIt() {
        Throwable timeout = new InterruptedIOException("timeout").initCause(new IOException("Canceled"));

        assertThat(Deadlines.isCancellation(timeout)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void recognisesADeadlineForEveryReason(Reason reason) {
        Throwable failure = new DeadlineExceededException(null, reason, Duration.ZERO, false, new IOException());

        assertThat(Deadlines.isCancellation(failure)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "UPSTREAM_ERROR")
    void recognisesAFailedStep(Reason reason) {
        assertThat(Deadlines.isCancellation(failedStep(reason, null))).isTrue();
    }

    @Test
    void leavesAStepAloneWhoseUpstreamFailed() {
        assertThat(Deadlines.isCancellation(failedStep(Reason.UPSTREAM_ERROR, new IOException())))
                .isFalse();
        assertThat(Deadlines.isCancellation(failedStep(Reason.UPSTREAM_ERROR, new InterruptedIOException())))
                .isTrue();
    }

    @Test
    void looksThroughAnyWrapping() {
        Throwable failure = new CompletionException(new ExecutionException(new UndeclaredThrowableException(
                new RuntimeException(new SQLTransientConnectionException(Exceptions.propagate(new IOException(
                        failedStep(Reason.UPSTREAM_ERROR, failedStep(Reason.BUDGET_EXHAUSTED, null)))))))));

        assertThat(Deadlines.isCancellation(failure)).isTrue();
    }

    @Test
    void comesToAnEndInAChainThatIsCircular() {
        Exception first = new IllegalStateException();
        first.initCause(new IllegalStateException(first));

        assertThat(Deadlines.isCancellation(first)).isFalse();
    }

    @Test
    void leavesNullAlone() {
        assertThat(Deadlines.isCancellation(null)).isFalse();
    }

    /** Jetty's client throws what its server throws of a departed client. */
    @Test
    void tellsADepartedClientFromABrokenConnectionToAnUpstream() {
        EofException broken = new EofException(new IOException("Broken pipe"));

        assertThat(Deadlines.isCancellation(new ResourceAccessException("I/O error", broken)))
                .isFalse();
        assertThat(Deadlines.isCancellation(new ExecutionException(broken))).isFalse();
        assertThat(Deadlines.isCancellation(new IllegalStateException(broken))).isTrue();
    }

    @Test
    void recognisesAnInterruptedBlock() throws Exception {
        assertThat(Deadlines.isCancellation(interrupted(() -> Mono.never().block())))
                .isTrue();
    }

    @Test
    void recognisesAnInterruptedWaitForSpringsConcurrencyLimit() throws Exception {
        Throttle throttle = new Throttle();
        throttle.beforeAccess();

        assertThat(Deadlines.isCancellation(interrupted(throttle::beforeAccess)))
                .isTrue();
    }

    @Test
    void tellsTheJdkClientsOwnTimeoutFromACancelledCall() throws Exception {
        try (ServerSocket silent = new ServerSocket(0)) {
            URI uri = URI.create("http://localhost:" + silent.getLocalPort());
            HttpClient client = HttpClient.newHttpClient();
            CompletableFuture<HttpResponse<Void>> bounded = client.sendAsync(
                    HttpRequest.newBuilder(uri).timeout(Duration.ofMillis(50)).build(),
                    HttpResponse.BodyHandlers.discarding());
            assertThat(Deadlines.isCancellation(failureOf(bounded))).isFalse();

            HttpRequest unbounded = HttpRequest.newBuilder(uri).build();
            assertThat(Deadlines.isCancellation(
                            interrupted(() -> client.send(unbounded, HttpResponse.BodyHandlers.discarding()))))
                    .isTrue();
        }
    }

    private interface Call {

        void run() throws Exception;
    }

    private static final class Throttle extends ConcurrencyThrottleSupport {

        Throttle() {
            setConcurrencyLimit(1);
        }

        @Override
        public void beforeAccess() {
            super.beforeAccess();
        }
    }

    private static StepFailedException failedStep(Reason reason, Throwable cause) {
        return new StepFailedException("step", reason, Duration.ZERO, false, cause);
    }

    private static Throwable failureOf(CompletableFuture<?> future) throws Exception {
        try {
            throw new AssertionError(String.valueOf(future.get(20, TimeUnit.SECONDS)));
        } catch (ExecutionException ex) {
            return ex;
        }
    }

    private static Throwable interrupted(Call call) throws Exception {
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            // Before the call begins to wait, which makes no difference to it.
            Thread.currentThread().interrupt();
            try {
                call.run();
                failure.completeExceptionally(new AssertionError("Was not interrupted"));
            } catch (Throwable ex) {
                failure.complete(ex);
            }
        });
        thread.start();
        return failure.get(20, TimeUnit.SECONDS);
    }
}
