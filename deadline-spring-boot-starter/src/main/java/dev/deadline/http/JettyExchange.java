package dev.deadline.http;

import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.client.Request;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpResponse;

/** Jetty's client ends an exchange itself, in whatever phase it is. */
final class JettyExchange extends StoppableExchange {

    private static final PrivateField<Request> REQUEST = new PrivateField<>(Request.class);

    private final Request request;

    private JettyExchange(Request request) {
        this.request = request;
    }

    static @Nullable StoppableExchange of(ClientHttpRequest request) {
        Request found = REQUEST.in(request);
        return (found != null) ? new JettyExchange(found) : null;
    }

    @Override
    void stop() {
        this.request.abort(new TimeoutException("The deadline has passed"));
    }

    @Override
    void release(ClientHttpResponse response) {
        // Gives buffers back, and reads nothing.
        response.close();
    }
}
