package dev.deadline.http;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import org.springframework.web.reactive.function.client.support.ClientResponseWrapper;
import reactor.core.publisher.Mono;

/**
 * Lets what ended the body reach the application as it is: by itself {@code retrieve()} puts it into an exception that
 * the response creates.
 */
final class BoundedResponse extends ClientResponseWrapper {

    private final Supplier<@Nullable Throwable> end;

    /**
     * @param end why the call was stopped; null if it was not
     */
    BoundedResponse(ClientResponse response, Supplier<@Nullable Throwable> end) {
        super(response);
        this.end = end;
    }

    @Override
    public Mono<WebClientResponseException> createException() {
        return Mono.defer(() -> {
            Throwable stopped = this.end.get();
            return (stopped != null) ? Mono.error(stopped) : super.createException();
        });
    }

    @Override
    public <T> Mono<T> createError() {
        return createException().flatMap(Mono::error);
    }
}
