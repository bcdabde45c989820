package dev.deadline.http;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Section;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpResponse;

/**
 * A client that an interrupt ends cleanly until there is a response, and whose connection is closed by closing the body:
 * the JDK's, and what can be expected of clients that are not known.
 */
class BodyClosingExchange extends StoppableExchange {

    private final boolean readInterruptibly;

    // Both are written by the thread that makes the call and read by those that stop it, who must not miss a response
    // that came before: they are called again while that thread is inside, but for a response that is held only once.
    private volatile @Nullable ClientHttpResponse response;

    private volatile @Nullable InputStream body;

    /**
     * @param readInterruptibly whether an interrupt may also hit the thread that reads the body
     */
    BodyClosingExchange(boolean readInterruptibly) {
        this.readInterruptibly = readInterruptibly;
    }

    @Override
    ClientHttpResponse execute(ClientHttpRequest request) throws IOException {
        try (Section interruptible = DeadlineEngine.interruptible()) {
            return request.execute();
        }
    }

    @Override
    Section reading() {
        return this.readInterruptibly ? DeadlineEngine.interruptible() : DeadlineEngine.shield();
    }

    @Override
    void answered(ClientHttpResponse response) {
        this.response = response;
    }

    @Override
    InputStream readable(InputStream body) {
        this.body = body;
        return body;
    }

    /** What the body is read from; null if nobody has taken it. */
    final @Nullable InputStream takenBody() {
        return this.body;
    }

    @Override
    void stop() throws IOException {
        InputStream taken = this.body;
        ClientHttpResponse answer = this.response;
        if (taken != null) {
            taken.close();
        } else if (answer != null) {
            answer.getBody().close();
        }
    }
}
