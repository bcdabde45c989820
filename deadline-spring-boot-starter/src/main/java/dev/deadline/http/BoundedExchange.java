package dev.deadline.http;

import dev.deadline.DeadlineExceededException;
import dev.deadline.Reason;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import dev.deadline.propagation.DeadlineCodec;
import dev.deadline.reactive.CancelSignal;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.util.ClassUtils;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** One call of a WebClient under a deadline, from the wait for a connection to the end of the body. */
final class BoundedExchange {

    private static final boolean NETTY =
            ClassUtils.isPresent("reactor.netty.Connection", BoundedExchange.class.getClassLoader());

    // Reactor's name for what is done in one chain as Hooks.onNextDropped is in all.
    private static final String DROPPED = "reactor.onNextDropped.local";

    private final ClientRequest request;

    private final Scope around;

    // The call's own: it outlives the section in which it was subscribed, and may outlive the step.
    private final Scope scope;

    private final @Nullable DeadlineCodec codec;

    private final ExpiredUpstream expired;

    private final ConnectionWait connection;

    private volatile boolean answered;

    private final AtomicBoolean bodyTaken = new AtomicBoolean();

    BoundedExchange(ClientRequest request, Scope around, CallRules rules) {
        this.request = request;
        this.around = around;
        this.scope = DeadlineEngine.carried(around);
        this.expired = rules.expired();
        this.connection = new ConnectionWait(this.scope);
        this.codec = rules.codecFor(around, request.url());
    }

    Mono<ClientResponse> exchange(ExchangeFunction next) {
        if (CallRules.isTooLate(this.scope)) {
            return Mono.error(this.scope.exceeded(null));
        }
        Mono<ClientResponse> answered = next.exchange(prepared())
                .contextWrite(context -> context.put(ConnectionWait.class, this.connection))
                .flatMap(this::checked);
        return CancelSignal.cut(answered, this.scope)
                .onErrorMap(this::mapped)
                .switchIfEmpty(Mono.defer(this::end))
                .map(this::bounded)
                .doOnError(failure -> this.scope.complete())
                .doOnCancel(this::abandon);
    }

    private ClientRequest prepared() {
        ClientRequest.Builder builder = ClientRequest.from(this.request).httpRequest(this::send);
        builder.attribute(DeadlineExchangeFilter.BOUNDED, true);
        return builder.build();
    }

    // Called when a connection is there, for every attempt and redirect: what is written is what is left then, and it
    // takes the place of whatever the application copied from its own caller.
    private void send(ClientHttpRequest http) {
        this.connection.sending(NETTY ? NettyConnectionWatch.closing(http.getNativeRequest()) : null);
        if (CallRules.isTooLate(this.scope)) {
            throw this.scope.exceeded(null);
        }
        if (this.codec != null) {
            long remaining = this.scope.remaining().toNanos();
            http.getHeaders().set(this.codec.headerName(), this.codec.encode(remaining));
        }
    }

    // An upstream that gave up because the time we had sent it was over says what our own watchdog is about to say.
    // Outside a step nobody asked us to judge answers.
    private Mono<ClientResponse> checked(ClientResponse response) {
        HttpHeaders headers = response.headers().asHttpHeaders();
        if (!this.around.isInsideStep() || !this.expired.saysSo(response.statusCode(), headers)) {
            return Mono.just(response);
        }
        return response.releaseBody().then(Mono.error(() -> {
            this.connection.upstreamExpired();
            this.scope.cancel(Reason.UPSTREAM_TIMEOUT);
            return exceeded(null);
        }));
    }

    private ClientResponse bounded(ClientResponse response) {
        this.answered = true;
        return new BoundedResponse(response.mutate().body(this::boundedBody).build(), this::stopped);
    }

    private Flux<DataBuffer> boundedBody(Flux<DataBuffer> body) {
        // Whoever got the response may sit on it: the connection is closed all the same.
        this.scope.onCancel(reason -> {
            if (this.bodyTaken.compareAndSet(false, true)) {
                body.subscribe(new Discarding());
            }
        });
        return Flux.defer(() -> {
            boolean first = this.bodyTaken.compareAndSet(false, true);
            this.connection.readingBody();
            // By the clock: the interrupt of the thread that waits may come before the end of this scope does.
            boolean discarded = !first && this.scope.isExpired();
            return CancelSignal.cut(discarded ? Flux.<DataBuffer>never() : body, this.scope)
                    .contextWrite(BoundedExchange::releasing)
                    .onErrorMap(this::mapped)
                    .concatWith(Mono.defer(this::end))
                    .doFinally(signal -> this.scope.complete());
        });
    }

    // Behind the cut, which drops what comes while it cuts. In place of what others do with it, as it is released once.
    private static Context releasing(Context context) {
        Consumer<Object> release = buffer -> {
            if (buffer instanceof DataBuffer unread) {
                DataBufferUtils.release(unread);
            }
        };
        return Operators.enableOnDiscard(context, release).put(DROPPED, release);
    }

    // What follows where the source has completed, which it also does when it is cut.
    private <T> Mono<T> end() {
        Throwable stopped = stopped();
        return (stopped != null) ? Mono.error(stopped) : Mono.empty();
    }

    // Once there is a response the rest of its way is that of its body. In between the client may be reading a body
    // that nobody waits for, so the connection is watched to the end of the deadline.
    private void abandon() {
        if (!this.answered && !this.connection.isSending()) {
            this.scope.complete();
        }
    }

    // Whatever a client throws once time is up, it is thrown because of that.
    private Throwable mapped(Throwable failure) {
        boolean own = failure instanceof DeadlineExceededException || this.scope.reason() == null;
        return own ? failure : exceeded(failure);
    }

    private @Nullable Throwable stopped() {
        return (this.scope.reason() != null) ? exceeded(null) : null;
    }

    private DeadlineExceededException exceeded(@Nullable Throwable cause) {
        return this.scope.exceeded(new CallStoppedException(
                this.request.method().name(), this.request.url(), this.connection.progress(), cause));
    }
}
