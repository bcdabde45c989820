package dev.deadline.http;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.channel.ChannelOperations;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientRequest;
import reactor.util.context.ContextView;

/**
 * Makes Reactor Netty's client tell what a call waits for, and closes a connection that is still being made when the
 * call is stopped: by itself Netty would go on connecting, and shaking hands, until its own limits.
 *
 * <p>The connectors that Spring Boot builds have it already; a client built by hand is passed through
 * {@link #apply(HttpClient)}.
 *
 * @since 0.1
 */
public final class NettyConnectionWatch implements UnaryOperator<HttpClient> {

    private static final AttributeKey<ConnectionWait> WAIT = AttributeKey.valueOf(ConnectionWait.class.getName());

    // A blocking call has no Reactor context of its own, but is subscribed to by the thread that makes it.
    private static final ThreadLocal<@Nullable ConnectionWait> BLOCKING = new ThreadLocal<>();

    /**
     * From now on the calling thread makes its calls for this wait; null for none.
     *
     * @return what it made them for until now
     */
    static @Nullable ConnectionWait watchFor(@Nullable ConnectionWait wait) {
        ConnectionWait before = BLOCKING.get();
        if (wait != null) {
            BLOCKING.set(wait);
        } else {
            BLOCKING.remove();
        }
        return before;
    }

    @Override
    public HttpClient apply(HttpClient client) {
        return client.mapConnect(NettyConnectionWatch::watched)
                .doOnChannelInit((observer, channel, address) -> {
                    // The context is that of the call that the pool makes this connection for.
                    ConnectionWait wait = waitIn(observer.currentContext());
                    if (wait != null) {
                        channel.attr(WAIT).set(wait);
                        wait.connecting(isResolved(address), channel::isActive, channel::close);
                    }
                })
                .doOnRequest((request, connection) -> sending(request))
                .doAfterResolve((connection, address) ->
                        tell(connection.channel().attr(WAIT).getAndSet(null), ConnectionWait::resolved));
    }

    private static Mono<? extends Connection> watched(Mono<? extends Connection> connect) {
        return Mono.deferContextual(context -> {
            ConnectionWait blocking = BLOCKING.get();
            ConnectionWait wait = (blocking != null) ? blocking : waitIn(context);
            if (wait == null) {
                return connect;
            }
            wait.asking();
            return (blocking != null)
                    ? connect.contextWrite(inner -> inner.put(ConnectionWait.class, blocking))
                    : connect;
        });
    }

    /**
     * What closes the connection of an exchange as long as it is that, and lets go of a body that nobody has taken; null if
     * the request is another client's.
     */
    static @Nullable Runnable closing(Object nativeRequest) {
        if (!(nativeRequest instanceof Connection exchange)) {
            return null;
        }
        Channel channel = exchange.channel();
        // On the event loop, where exchanges begin and end: afterwards the connection may serve another call.
        return () -> {
            // An exchange that is over has none that is.
            if (channel.isRegistered()) {
                channel.eventLoop().execute(() -> closeIfServing(exchange, channel));
            }
        };
    }

    private static void closeIfServing(Connection exchange, Channel channel) {
        if (ChannelOperations.get(channel) == exchange) {
            channel.close();
            // The answer may have come just when nobody waited for it any more.
            exchange.inbound().receiveObject().subscribe(new Discarding());
        }
    }

    // Between the interrupt of a blocking call and its response there is nobody else who could close the connection.
    private static void sending(HttpClientRequest request) {
        ConnectionWait wait = waitIn(request.currentContextView());
        if (wait != null) {
            wait.sending(closing(request));
        }
    }

    private static boolean isResolved(@Nullable SocketAddress address) {
        return !(address instanceof InetSocketAddress internet) || !internet.isUnresolved();
    }

    private static @Nullable ConnectionWait waitIn(ContextView context) {
        return context.getOrDefault(ConnectionWait.class, null);
    }

    private static void tell(@Nullable ConnectionWait wait, Consumer<ConnectionWait> news) {
        if (wait != null) {
            news.accept(wait);
        }
    }
}
