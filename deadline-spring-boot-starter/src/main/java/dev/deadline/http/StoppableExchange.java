package dev.deadline.http;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Section;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpResponse;

/** How one exchange of a blocking client is ended by force; a subclass for each client. */
abstract class StoppableExchange {

    /** Executes the request; by default its thread is interrupted only if stopping it did not help. */
    ClientHttpResponse execute(ClientHttpRequest request) throws IOException {
        try (Section section = DeadlineEngine.interruptibleLate()) {
            return request.execute();
        }
    }

    /** What a call waits for that has no response yet, as far as the client tells. */
    CallProgress progress() {
        return CallProgress.UNANSWERED;
    }

    /** The section in which the body is read, and closed. */
    Section reading() {
        return DeadlineEngine.shield();
    }

    /** Shortens the client's own limits for this exchange, where it has some that can be. */
    void limit(Duration left) {}

    /** There is a response. */
    void answered(ClientHttpResponse response) {}

    /**
     * What to read the body from.
     *
     * @param body the client's own
     */
    InputStream readable(InputStream body) {
        return body;
    }

    /** Closes a response in time. Reads what is left of the body if the client does that, and may be stopped in it. */
    void finish(ClientHttpResponse response) throws IOException {
        response.close();
    }

    /**
     * Closes the connection, or gives up getting one, and lets go whoever waits for it. Called by any thread, more than
     * once, also while another thread reads. Does not block, and does not read what is left of the body.
     */
    abstract void stop() throws IOException;

    /** Lets go of a response whose connection has been closed. By the thread that read it, without reading on. */
    void release(ClientHttpResponse response) {}
}
