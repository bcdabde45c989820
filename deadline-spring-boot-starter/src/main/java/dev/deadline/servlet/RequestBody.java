package dev.deadline.servlet;

import dev.deadline.engine.CallGuard;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request, which is waited for no longer than the deadline lasts, however slowly it comes in.
 *
 * <p>Where an interrupt ends the wait the thread is interrupted. Tomcat ignores that with HTTP/1.1, so there the
 * connection is closed for reading, and what waits for more comes back at once. The answer is written before that: what
 * Tomcat makes of a body that ends too early is an answer of its own.
 */
final class RequestBody {

    // Time in which a client that is refused can stop sending and see why. If the connection were closed while more is
    // coming in, the answer could be lost.
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Reads from the container. */
    @FunctionalInterface
    interface Reading<T> {

        T read() throws IOException, ServletException;
    }

    private final HttpServletRequest request;

    private final RequestDeadline deadline;

    private final ResponseGuard response;

    private final LastResort lastResort;

    // Null until somebody asks.
    private @Nullable Boolean expected;

    // Guards the count below, and is held by a look: while something reads, nobody looks, and the other way round. Not
    // held while reading, as that takes as long as the client does.
    private final ReentrantLock lock = new ReentrantLock();

    private int readers;

    private boolean parametersRead;

    // Null until something reads.
    private @Nullable CallGuard guard;

    private @Nullable SocketChannel connection;

    /**
     * @param request as the filter got it
     */
    RequestBody(HttpServletRequest request, RequestDeadline deadline, ResponseGuard response, LastResort lastResort) {
        this.request = request;
        this.deadline = deadline;
        this.response = response;
        this.lastResort = lastResort;
    }

    /** Whether there is one, or may be. */
    boolean isExpected() {
        Boolean known = this.expected;
        if (known == null) {
            long length = this.request.getContentLengthLong();
            boolean isAnnounced = length > 0 || this.request.getHeader("Transfer-Encoding") != null;
            // With HTTP/2 nothing has to be announced.
            known = isAnnounced || (length < 0 && !this.request.getProtocol().startsWith("HTTP/1"));
            this.expected = known;
        }
        return known;
    }

    /**
     * Reads, unless and until the time is up.
     *
     * @throws dev.deadline.DeadlineExceededException if it is
     */
    <T> T read(Reading<T> reading) throws IOException, ServletException {
        CallGuard guarding = begin();
        boolean entered = false;
        try {
            entered = guarding.enter();
            return bounded(reading, guarding);
        } catch (IOException ex) {
            throw translated(ex);
        } catch (IllegalStateException ex) {
            // Containers find more than one way to say that the body came to an end.
            throw guarding.scope().isExpired() ? guarding.scope().exceeded(ex) : ex;
        } finally {
            if (entered) {
                guarding.leave();
            }
            end();
        }
    }

    private <T> T bounded(Reading<T> reading, CallGuard guarding) throws IOException, ServletException {
        T read;
        if (this.connection == null) {
            try (Section section = DeadlineEngine.interruptible()) {
                read = reading.read();
            }
        } else {
            read = reading.read();
        }
        if (guarding.scope().reason() != null) {
            // What looks like the end may be the end of our patience.
            guarding.scope().checkpoint();
        }
        return read;
    }

    private IOException translated(IOException failure) {
        Scope scope = this.deadline.scope();
        if (scope.isExpired()) {
            throw scope.exceeded(failure);
        }
        if (Departure.isSeenIn(failure)) {
            this.deadline.departed();
        }
        return failure;
    }

    private CallGuard begin() {
        this.lock.lock();
        try {
            CallGuard known = this.guard;
            if (known == null) {
                SocketChannel channel = NativeExchange.of(this.request).uninterruptibleInput();
                this.connection = channel;
                known = CallGuard.of(this.deadline.scope(), since -> stopWaiting(channel));
                this.guard = known;
            }
            this.readers++;
            return known;
        } finally {
            this.lock.unlock();
        }
    }

    private void stopWaiting(@Nullable SocketChannel channel) throws IOException {
        if (channel != null && (this.deadline.isAborted() || this.lastResort.answer(this.response))) {
            channel.shutdownInput();
        }
    }

    private void end() {
        this.lock.lock();
        this.readers--;
        this.lock.unlock();
    }

    /** Lets the container read the parameters that are in the body. */
    void readParameters() {
        if (!this.parametersRead) {
            try {
                read(this.request::getParameterNames);
            } catch (IOException | ServletException ex) {
                throw new IllegalStateException(ex);
            }
            this.parametersRead = true;
        }
    }

    /** Takes a look at the connection unless something reads; false if the look was not taken. */
    boolean look(BooleanSupplier look) {
        if (!this.lock.tryLock()) {
            return false;
        }
        try {
            return this.readers == 0 && look.getAsBoolean();
        } finally {
            this.lock.unlock();
        }
    }

    /** No more of it will be read: its connection serves no other request, and ends soon even if more comes in. */
    void drop(DeadlineEngine engine) {
        NativeExchange exchange = NativeExchange.of(this.request);
        SocketChannel channel = exchange.isBodyLeft() ? exchange.uninterruptibleInput() : null;
        if (channel != null && this.response.closeConnection()) {
            engine.schedule(LINGER_NANOS, () -> closeForReading(channel));
        }
    }

    private static void closeForReading(SocketChannel channel) {
        try {
            channel.shutdownInput();
        } catch (IOException ex) {
            // It is closed already.
        }
    }
}
