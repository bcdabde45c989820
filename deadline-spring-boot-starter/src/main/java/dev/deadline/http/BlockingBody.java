package dev.deadline.http;

import dev.deadline.DeadlineExceededException;
import java.io.IOException;
import java.io.InputStream;
import org.springframework.http.client.ClientHttpResponse;

/**
 * The body of a response, which can be read until the deadline. Then reading fails with a
 * {@link DeadlineExceededException}: an {@link IOException} would come out as an error of the upstream. Read by one
 * thread at a time.
 */
final class BlockingBody extends InputStream {

    private final InputStream body;

    private final ClientHttpResponse response;

    private final BlockingCall call;

    private boolean atEnd;

    private boolean cut;

    /**
     * @param body what to read
     * @param response the client's own, to which it belongs
     */
    BlockingBody(InputStream body, ClientHttpResponse response, BlockingCall call) {
        this.body = body;
        this.response = response;
        this.call = call;
    }

    boolean isAtEnd() {
        return this.atEnd;
    }

    /** Whether somebody wanted to read on when the time was up. */
    boolean isCut() {
        return this.cut;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return (read(one, 0, 1) < 0) ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int size) throws IOException {
        if (this.atEnd) {
            return -1;
        }
        try {
            int got = this.call.reading(() -> this.body.read(target, offset, size));
            if (got < 0 && this.call.isExpired()) {
                // A body that another thread has closed may look complete.
                throw this.call.exceeded(CallProgress.BODY, null);
            }
            this.atEnd = got < 0;
            return got;
        } catch (DeadlineExceededException ex) {
            this.cut = true;
            throw ex;
        }
    }

    @Override
    public int available() throws IOException {
        return (this.atEnd || this.call.isExpired()) ? 0 : this.body.available();
    }

    /** Closes the body, with which the call is over: not everybody closes the response as well. */
    @Override
    public void close() throws IOException {
        try {
            this.call.close(this.body, this.response);
        } finally {
            this.call.over();
        }
    }
}
