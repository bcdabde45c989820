package dev.deadline.http;

import dev.deadline.engine.Scope;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.RejectedExecutionException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpResponse;
import reactor.netty.Connection;

/**
 * Reactor Netty's client behind a blocking one. Interrupted while it reads a body it would not wait any more but spin,
 * so its connection is closed instead.
 */
final class ReactorExchange extends BodyClosingExchange {

    private static final Log logger = LogFactory.getLog(ReactorExchange.class);

    private static final PrivateField<Connection> CONNECTION = new PrivateField<>(Connection.class);

    private final ConnectionWait wait;

    // As above: a response that is held is stopped only once.
    private volatile @Nullable Runnable closing;

    ReactorExchange(Scope scope) {
        super(false);
        this.wait = new ConnectionWait(scope);
    }

    @Override
    ClientHttpResponse execute(ClientHttpRequest request) throws IOException {
        ConnectionWait outer = NettyConnectionWatch.watchFor(this.wait);
        try {
            return super.execute(request);
        } finally {
            NettyConnectionWatch.watchFor(outer);
        }
    }

    @Override
    CallProgress progress() {
        CallProgress known = this.wait.progress();
        return (known != CallProgress.UNCONNECTED) ? known : super.progress();
    }

    @Override
    void answered(ClientHttpResponse response) {
        super.answered(response);
        Connection connection = CONNECTION.in(response);
        this.closing = (connection != null) ? NettyConnectionWatch.closing(connection) : null;
    }

    @Override
    void stop() throws IOException {
        Runnable close = this.closing;
        if (close != null) {
            close.run();
        } else {
            super.stop();
        }
    }

    // Closing the connection alone leaves what is queued of the body to whoever has taken it.
    @Override
    void release(ClientHttpResponse response) {
        Connection connection = CONNECTION.in(response);
        if (connection == null) {
            return;
        }
        try {
            // Comes behind the subscription of the body, before which that cannot be closed.
            connection.inbound().receiveObject().subscribe(new Discarding(this::closeTakenBody));
        } catch (RejectedExecutionException ex) {
            // The threads of the client are gone, and with them whoever might have added to it.
            closeTakenBody();
        }
    }

    private void closeTakenBody() {
        InputStream taken = takenBody();
        if (taken != null) {
            try {
                taken.close();
            } catch (IOException | IllegalStateException ex) {
                logger.debug("A body could not be closed", ex);
            }
        }
    }
}
