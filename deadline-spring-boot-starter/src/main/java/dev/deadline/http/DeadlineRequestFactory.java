package dev.deadline.http;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Section;
import java.io.IOException;
import java.net.URI;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestFactory;

/** Makes requests that are bounded by the deadline they are executed under. */
final class DeadlineRequestFactory implements ClientHttpRequestFactory {

    private final ClientHttpRequestFactory delegate;

    private final CallRules rules;

    DeadlineRequestFactory(ClientHttpRequestFactory delegate, CallRules rules) {
        this.delegate = delegate;
        this.rules = rules;
    }

    @Override
    public ClientHttpRequest createRequest(URI uri, HttpMethod method) throws IOException {
        // Some start their client with the first request; an interrupt then would break it for good.
        try (Section shielded = DeadlineEngine.shield()) {
            return new DeadlineRequest(this.delegate.createRequest(uri, method), this.rules);
        }
    }

    @Override
    public String toString() {
        return "bounded " + this.delegate;
    }
}
