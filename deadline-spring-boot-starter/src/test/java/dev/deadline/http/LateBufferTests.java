package dev.deadline.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.Reason;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.RealEngine;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscriber;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.NettyDataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

/** A buffer that a connection delivers while the body is being cut. */
class LateBufferTests {

    private final RealEngine engine = new RealEngine();

    private final AtomicReference<Subscriber<? super DataBuffer>> reader = new AtomicReference<>();

    private final Flux<DataBuffer> body = Flux.from(subscriber -> {
        this.reader.set(subscriber);
        subscriber.onSubscribe(Operators.emptySubscription());
    });

    @AfterEach
    void close() {
        this.engine.close();
    }

    @Test
    void isGivenBack() {
        NettyDataBuffer buffer = new NettyDataBufferFactory(UnpooledByteBufAllocator.DEFAULT).allocateBuffer(8);
        ExchangeFunction upstream = request ->
                Mono.just(ClientResponse.create(HttpStatus.OK).body(this.body).build());
        ClientRequest request =
                ClientRequest.create(HttpMethod.GET, URI.create("/")).build();
        Scope scope = this.engine.request(Duration.ofSeconds(30));
        DeadlineEngine bound = this.engine.engine();

        CompletableFuture<Void> end;
        try (Section section = bound.bind(scope)) {
            end = DeadlineExchangeFilter.create()
                    .filter(request, upstream)
                    .flatMapMany(response -> response.bodyToFlux(DataBuffer.class))
                    .then()
                    .toFuture();
        }
        scope.cancel(Reason.BUDGET_EXHAUSTED);
        assertThat(end).failsWithin(Duration.ofSeconds(10));
        this.reader.get().onNext(buffer);

        assertThat(buffer.getNativeBuffer().refCnt()).isZero();
    }
}
