package dev.deadline.http;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Map;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.StreamingHttpOutputMessage;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpResponse;

/** A request that is bounded by the deadline of the thread that executes it. */
final class DeadlineRequest implements ClientHttpRequest, StreamingHttpOutputMessage {

    private final ClientHttpRequest delegate;

    private final CallRules rules;

    DeadlineRequest(ClientHttpRequest delegate, CallRules rules) {
        this.delegate = delegate;
        this.rules = rules;
    }

    @Override
    public ClientHttpResponse execute() throws IOException {
        Scope around = DeadlineEngine.currentScope();
        if (around == null) {
            this.rules.listener().unboundedCall("http");
            return this.delegate.execute();
        }
        return around.isEnforced()
                ? new BlockingCall(this.delegate, around, this.rules).execute()
                : this.delegate.execute();
    }

    @Override
    public void setBody(Body body) {
        if (this.delegate instanceof StreamingHttpOutputMessage streaming) {
            streaming.setBody(body);
        } else {
            writeNow(body);
        }
    }

    private void writeNow(Body body) {
        try {
            body.writeTo(this.delegate.getBody());
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    @Override
    public OutputStream getBody() throws IOException {
        return this.delegate.getBody();
    }

    @Override
    public HttpHeaders getHeaders() {
        return this.delegate.getHeaders();
    }

    @Override
    public HttpMethod getMethod() {
        return this.delegate.getMethod();
    }

    @Override
    public URI getURI() {
        return this.delegate.getURI();
    }

    @Override
    public Map<String, Object> getAttributes() {
        return this.delegate.getAttributes();
    }
}
