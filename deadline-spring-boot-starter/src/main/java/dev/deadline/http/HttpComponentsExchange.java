package dev.deadline.http;

import org.apache.hc.core5.concurrent.Cancellable;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.ClientHttpRequest;

/** Apache's client ends an exchange itself, in whatever phase it is. */
final class HttpComponentsExchange extends StoppableExchange {

    private static final PrivateField<ClassicHttpRequest> REQUEST = new PrivateField<>(ClassicHttpRequest.class);

    private final Cancellable request;

    private HttpComponentsExchange(Cancellable request) {
        this.request = request;
    }

    static @Nullable StoppableExchange of(ClientHttpRequest request) {
        return (REQUEST.in(request) instanceof Cancellable cancellable)
                ? new HttpComponentsExchange(cancellable)
                : null;
    }

    @Override
    void stop() {
        this.request.cancel();
    }
}
