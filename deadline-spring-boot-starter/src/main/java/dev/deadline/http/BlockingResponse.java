package dev.deadline.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;

/** A response whose body is read inside the deadline, and whose connection is closed at its end. */
final class BlockingResponse implements ClientHttpResponse {

    private final ClientHttpResponse delegate;

    private final BlockingCall call;

    private final AtomicBoolean closed = new AtomicBoolean();

    private @Nullable BlockingBody body;

    BlockingResponse(ClientHttpResponse delegate, BlockingCall call) {
        this.delegate = delegate;
        this.call = call;
    }

    @Override
    public HttpStatusCode getStatusCode() throws IOException {
        return this.delegate.getStatusCode();
    }

    @Override
    public String getStatusText() throws IOException {
        return this.delegate.getStatusText();
    }

    @Override
    public HttpHeaders getHeaders() {
        return this.delegate.getHeaders();
    }

    @Override
    public InputStream getBody() throws IOException {
        BlockingBody taken = this.body;
        if (taken == null) {
            InputStream read = this.call.guarded(this.delegate::getBody, () -> CallProgress.BODY);
            taken = new BlockingBody(this.call.exchange().readable(read), this.delegate, this.call);
            this.body = taken;
        }
        return taken;
    }

    /**
     * Closes the response. By themselves clients read what is left of the body, for the sake of their pools; after the
     * deadline the connection is closed instead.
     *
     * @throws dev.deadline.DeadlineExceededException if reading the body was ended by the deadline: it may have come out
     *     as a message converter's complaint
     */
    @Override
    public void close() {
        if (!this.closed.compareAndSet(false, true)) {
            return;
        }
        BlockingBody taken = this.body;
        try {
            if (taken != null && taken.isAtEnd() && this.call.isExpired()) {
                this.delegate.close();
            } else {
                this.call.close(() -> this.call.exchange().finish(this.delegate), this.delegate);
            }
        } catch (IOException ex) {
            // What cannot be read is of no use to anybody.
            this.call.abort(this.delegate);
        } finally {
            this.call.over();
        }
        if (taken != null && taken.isCut()) {
            throw this.call.exceeded(CallProgress.BODY, null);
        }
    }
}
