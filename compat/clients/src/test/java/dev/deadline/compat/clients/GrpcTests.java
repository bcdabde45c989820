package dev.deadline.compat.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deadline.Deadline;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GrpcTests {

    private static final MethodDescriptor<byte[], byte[]> METHOD = MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodType.UNARY)
            .setFullMethodName("service/method")
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(new Bytes())
            .build();

    private final AtomicInteger cancelled = new AtomicInteger();

    private volatile boolean silent;

    private Server server;

    private ManagedChannel channel;

    @BeforeEach
    void start() throws IOException {
        this.server = NettyServerBuilder.forPort(0)
                .addService(ServerServiceDefinition.builder("service")
                        .addMethod(METHOD, ServerCalls.asyncUnaryCall((request, response) -> {
                            ((ServerCallStreamObserver<byte[]>) response)
                                    .setOnCancelHandler(this.cancelled::incrementAndGet);
                            if (!this.silent) {
                                response.onNext("ok".getBytes());
                                response.onCompleted();
                            }
                        }))
                        .build())
                .build()
                .start();
        this.channel = NettyChannelBuilder.forAddress("localhost", this.server.getPort())
                .usePlaintext()
                .build();
    }

    @AfterEach
    void stop() {
        this.channel.shutdownNow();
        this.server.shutdownNow();
    }

    private static String call(Channel channel) {
        return new String(ClientCalls.blockingUnaryCall(channel, METHOD, CallOptions.DEFAULT, new byte[0]));
    }

    @ParameterizedTest
    @MethodSource("dev.deadline.compat.clients.Threads#available")
    void endsByTheInterrupt(Threads threads) throws Exception {
        isCut(this.channel, threads);
    }

    /** As on the page: the server hears of the deadline too. */
    @ParameterizedTest
    @MethodSource("dev.deadline.compat.clients.Threads#available")
    void sendsTheDeadlineAlong(Threads threads) throws Exception {
        isCut(ClientInterceptors.intercept(this.channel, new SendDeadline()), threads);
    }

    private void isCut(Channel client, Threads threads) throws Exception {
        // Connected, so that what is cut has reached the server.
        call(client);
        this.silent = true;
        CutCall.of(threads, () -> call(client)).assertBackAtTheDeadline();
        await().until(() -> this.cancelled.get() == 1);
        this.silent = false;
        assertThat(CutCall.on(threads, () -> call(client))).isEqualTo("ok");
    }

    @ParameterizedTest
    @MethodSource("dev.deadline.compat.clients.Threads#available")
    void endsByTheInterruptWhileConnecting(Threads threads) throws Exception {
        try (SilentServer nobody = new SilentServer()) {
            ManagedChannel connecting = NettyChannelBuilder.forAddress("localhost", nobody.port())
                    .usePlaintext()
                    .build();
            CutCall.of(threads, () -> call(connecting)).assertBackAtTheDeadline();
            connecting.shutdownNow();
        }
    }

    static final class SendDeadline implements ClientInterceptor {

        @Override
        public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
            Deadline deadline = Deadline.current();
            CallOptions bounded = deadline.isBounded()
                    ? options.withDeadlineAfter(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS)
                    : options;
            return next.newCall(method, bounded);
        }
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {

        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException ex) {
                throw new UncheckedIOException(ex);
            }
        }
    }
}
