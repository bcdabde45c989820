package dev.deadline.http;

import dev.deadline.Deadline.Registration;
import dev.deadline.engine.Scope;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What one call waits for, from the pool to the body, and what has to be closed if that never comes. A client tells as
 * much of it as it lets us see.
 */
final class ConnectionWait {

    private final Scope scope;

    private volatile CallProgress progress = CallProgress.UNCONNECTED;

    // Guarded by the monitor of this object: the connection may come while the call is being stopped.
    private @Nullable Registration closing;

    private boolean over;

    ConnectionWait(Scope scope) {
        this.scope = scope;
    }

    CallProgress progress() {
        return this.progress;
    }

    /** The call asks for a connection, again after a redirect. */
    synchronized void asking() {
        this.progress = CallProgress.POOL_WAIT;
        this.over = false;
    }

    /**
     * A connection is being made for this call; it is closed if the call is stopped before it is ready.
     *
     * @param resolved whether the address is known already
     * @param connected whether all that is missing is the handshake
     * @param close does not block
     */
    synchronized void connecting(boolean resolved, BooleanSupplier connected, Runnable close) {
        if (this.over) {
            // The pool had another one for this call, and will give this one to somebody else.
            return;
        }
        release();
        if (this.scope.reason() != null) {
            // The client tries once more because its last connection was closed.
            close.run();
            return;
        }
        this.progress = resolved ? CallProgress.CONNECT : CallProgress.NAME_RESOLUTION;
        this.closing = this.scope.onCancel(reason -> {
            if (connected.getAsBoolean()) {
                this.progress = CallProgress.TLS_HANDSHAKE;
            }
            close.run();
        });
    }

    /** The address of the connection is known. */
    void resolved() {
        if (this.scope.reason() == null) {
            this.progress = CallProgress.CONNECT;
        }
    }

    /**
     * The connection is ready and the request goes out.
     *
     * @param close closes the connection if it still serves this call; null where the client does not let us. Cancelling
     *     alone may not do it: a response that nobody has begun to read is then read to its end, for the sake of the
     *     pool, and that end may never come
     */
    synchronized void sending(@Nullable Runnable close) {
        this.progress = CallProgress.RESPONSE;
        this.over = true;
        release();
        if (close != null) {
            this.closing = this.scope.onCancel(reason -> this.scope.afterInterrupt(close));
        }
    }

    /** Whether the connection has been found, and the request is on it. */
    synchronized boolean isSending() {
        return this.over;
    }

    private void release() {
        if (this.closing != null) {
            this.closing.close();
            this.closing = null;
        }
    }

    void readingBody() {
        this.progress = CallProgress.BODY;
    }

    void upstreamExpired() {
        this.progress = CallProgress.UPSTREAM_EXPIRED;
    }
}
