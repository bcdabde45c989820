package dev.deadline.http;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Section;
import dev.deadline.engine.VirtualThreads;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.util.StreamUtils;

/**
 * The JDK's old client. It does not let go of a platform thread that reads a body, so such a thread leaves reading to
 * another as soon as it would have to wait. A virtual thread is interrupted, which closes the connection.
 */
final class SimpleExchange extends StoppableExchange {

    private static final PrivateField<HttpURLConnection> CONNECTION = new PrivateField<>(HttpURLConnection.class);

    private final HttpURLConnection connection;

    private final boolean virtual = VirtualThreads.isCurrent();

    // Written by the thread that makes the call: one that stops it and saw none would wait for the reader's lock.
    private volatile @Nullable HandedOverBody body;

    private long length = -1;

    private SimpleExchange(HttpURLConnection connection) {
        this.connection = connection;
    }

    static @Nullable StoppableExchange of(ClientHttpRequest request) {
        HttpURLConnection found = CONNECTION.in(request);
        return (found != null) ? new SimpleExchange(found) : null;
    }

    @Override
    void limit(Duration left) {
        // Rounded up: these are only for waits that cannot be ended otherwise, and must not come before the deadline.
        int millis = (int) Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(left.toNanos()) + 1);
        this.connection.setConnectTimeout(shorter(this.connection.getConnectTimeout(), millis));
        this.connection.setReadTimeout(shorter(this.connection.getReadTimeout(), millis));
    }

    private static int shorter(int own, int millis) {
        // Here 0 is no limit.
        return (own == 0) ? millis : Math.min(own, millis);
    }

    @Override
    ClientHttpResponse execute(ClientHttpRequest request) throws IOException {
        try (Section section = section()) {
            ClientHttpResponse response = request.execute();
            // A request with a body has only been written so far.
            response.getStatusCode();
            this.length = this.connection.getContentLengthLong();
            return response;
        }
    }

    @Override
    Section reading() {
        return section();
    }

    private Section section() {
        return this.virtual ? DeadlineEngine.interruptible() : DeadlineEngine.shield();
    }

    @Override
    InputStream readable(InputStream taken) {
        if (this.virtual) {
            return taken;
        }
        HandedOverBody handedOver = new HandedOverBody(taken, this.length, this.connection::disconnect);
        this.body = handedOver;
        return handedOver;
    }

    @Override
    void finish(ClientHttpResponse response) throws IOException {
        if (!this.virtual) {
            InputStream taken = this.body;
            StreamUtils.drain((taken != null) ? taken : readable(response.getBody()));
        }
        response.close();
    }

    @Override
    void stop() {
        HandedOverBody read = this.body;
        // While somebody reads, disconnecting would wait for the next byte as well.
        if (read == null || !read.abandon()) {
            this.connection.disconnect();
        }
    }
}
