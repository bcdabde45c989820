package dev.deadline.http;

import dev.deadline.Deadline.Registration;
import dev.deadline.DeadlineExceededException;
import dev.deadline.Reason;
import dev.deadline.engine.CallGuard;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import dev.deadline.propagation.DeadlineCodec;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpResponse;

/** One exchange of a blocking client under a deadline, from the wait for a connection to the end of the body. */
final class BlockingCall {

    private final ClientHttpRequest request;

    private final Scope around;

    // The call's own: the response may be read when the step in which it was asked for has been left.
    private final Scope scope;

    private final CallRules rules;

    private final StoppableExchange exchange;

    private final CallGuard guard;

    private @Nullable Registration closing;

    BlockingCall(ClientHttpRequest request, Scope around, CallRules rules) {
        this.request = request;
        this.around = around;
        this.scope = DeadlineEngine.carried(around);
        this.rules = rules;
        this.exchange = StoppableExchanges.of(request, this.scope);
        this.guard = CallGuard.of(this.scope, sinceFirstNanos -> this.exchange.stop());
    }

    ClientHttpResponse execute() throws IOException {
        ClientHttpResponse response;
        try {
            response = answer();
            if (this.around.isInsideStep() && saysItsTimeIsOver(response)) {
                throw upstreamExpired(response);
            }
        } catch (IOException | RuntimeException ex) {
            over();
            throw ex;
        }
        // Whoever got the response may sit on it: the connection is closed all the same.
        this.closing = this.scope.onCancel(reason -> stop());
        return new BlockingResponse(response, this);
    }

    private ClientHttpResponse answer() throws IOException {
        if (CallRules.isTooLate(this.scope)) {
            throw this.scope.exceeded(null);
        }
        DeadlineCodec codec = this.rules.codecFor(this.around, this.request.getURI());
        if (codec != null) {
            // Takes the place of whatever the application copied from its own caller.
            long remaining = this.scope.remaining().toNanos();
            this.request.getHeaders().set(codec.headerName(), codec.encode(remaining));
        }
        if (this.scope.isBounded()) {
            this.exchange.limit(this.scope.remaining());
        }
        ClientHttpResponse response = guarded(() -> this.exchange.execute(this.request), this.exchange::progress);
        this.exchange.answered(response);
        if (this.scope.isExpired()) {
            abort(response);
            throw exceeded(this.exchange.progress(), null);
        }
        return response;
    }

    private boolean saysItsTimeIsOver(ClientHttpResponse response) throws IOException {
        return this.rules.expired().saysSo(response.getStatusCode(), response.getHeaders());
    }

    // An upstream that gave up because the time we had sent it was over says what our own watchdog is about to say.
    // Outside a step nobody asked us to judge answers.
    private DeadlineExceededException upstreamExpired(ClientHttpResponse response) {
        abort(response);
        this.scope.cancel(Reason.UPSTREAM_TIMEOUT);
        return exceeded(CallProgress.UPSTREAM_EXPIRED, null);
    }

    /** What a client does for this call, and may have to be stopped in. */
    interface Work<T> {

        T run() throws IOException;
    }

    /**
     * Does a part of the call that blocks.
     *
     * @throws DeadlineExceededException if the time is up, whatever the client threw because of it
     */
    <T> T guarded(Work<T> work, Supplier<CallProgress> progress) throws IOException {
        boolean entered = entered(progress);
        try {
            return work.run();
        } catch (IOException | RuntimeException ex) {
            boolean own = ex instanceof DeadlineExceededException || !this.scope.isExpired();
            if (own) {
                throw ex;
            }
            throw exceeded(progress.get(), ex);
        } finally {
            if (entered) {
                this.guard.leave();
            }
        }
    }

    /** Does a part of the call that reads the body. */
    <T> T reading(Work<T> work) throws IOException {
        return guarded(
                () -> {
                    try (Section section = this.exchange.reading()) {
                        return work.run();
                    }
                },
                () -> CallProgress.BODY);
    }

    /**
     * Closes what has been read from, for which clients read what is left of it; closes the connection instead if the
     * time is up, also if that comes to be while they read.
     */
    void close(Closeable read, ClientHttpResponse response) throws IOException {
        if (!isExpired()) {
            try {
                reading(() -> {
                    read.close();
                    return true;
                });
                return;
            } catch (DeadlineExceededException ex) {
                // Nobody is told: whoever closes wants nothing more.
            }
        }
        abort(response);
    }

    // The time may be up between two parts of the call, and then it says as well where it was.
    private boolean entered(Supplier<CallProgress> progress) {
        try {
            return this.guard.enter();
        } catch (DeadlineExceededException ex) {
            throw exceeded(progress.get(), null);
        }
    }

    StoppableExchange exchange() {
        return this.exchange;
    }

    boolean isExpired() {
        return this.scope.isExpired();
    }

    DeadlineExceededException exceeded(CallProgress progress, @Nullable Throwable cause) {
        return this.scope.exceeded(
                new CallStoppedException(this.request.getMethod().name(), this.request.getURI(), progress, cause));
    }

    /** Closes the connection of a response, reading no more of it. */
    void abort(ClientHttpResponse response) {
        stop();
        this.exchange.release(response);
    }

    void stop() {
        try {
            this.exchange.stop();
        } catch (IOException ex) {
            // It is closed already.
        }
    }

    /** The call is over, in whatever way. */
    void over() {
        Registration last = this.closing;
        if (last != null) {
            last.close();
        }
        this.guard.close();
        this.scope.complete();
    }
}
