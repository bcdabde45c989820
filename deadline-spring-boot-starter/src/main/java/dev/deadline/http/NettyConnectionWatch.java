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

    @Override
    public HttpClient apply(HttpClient client) {
        return client.mapConnect(connect -> Mono.deferContextual(context -> {
                    tell(waitIn(context), ConnectionWait::asking);
                    return connect;
                }))
                .doOnChannelInit((observer, channel, address) -> {
                    // The context is that of the call that the pool makes this connection for.
                    ConnectionWait wait = waitIn(observer.currentContext());
                    if (wait != null) {
                        channel.attr(WAIT).set(wait);
                        wait.connecting(isResolved(address), channel::isActive, channel::close);
                    }
                })
                .doAfterResolve((connection, address) ->
                        tell(connection.channel().attr(WAIT).getAndSet(null), ConnectionWait::resolved));
    }

    /** What closes the connection of an exchange as long as it is that; null if the request is another client's. */
    static @Nullable Runnable closing(Object nativeRequest) {
        if (!(nativeRequest instanceof Connection exchange)) {
            return null;
        }
        Channel channel = exchange.channel();
        // On the event loop, where exchanges begin and end: afterwards the connection may serve another call.
        return () -> channel.eventLoop().execute(() -> {
            if (ChannelOperations.get(channel) == exchange) {
                channel.close();
            }
        });
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
