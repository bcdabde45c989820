package dev.deadline.servlet;

import dev.deadline.engine.LastingConnections;
import jakarta.servlet.ServletRequest;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.apache.coyote.ActionCode;
import org.apache.coyote.Request;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/** An exchange of Tomcat, with HTTP/1.1 or HTTP/2. */
final class TomcatExchange implements NativeExchange {

    private final TomcatInternals internals;

    private final Request request;

    // What handles the protocol; there is no type that all have in common.
    private final Object processor;

    private TomcatExchange(TomcatInternals internals, Request request, Object processor) {
        this.internals = internals;
        this.request = request;
        this.processor = processor;
    }

    /** The exchange behind the request that Tomcat gives to applications; null if this Tomcat is not as it should be. */
    static @Nullable NativeExchange behind(ServletRequest facade) {
        TomcatInternals internals = TomcatInternals.find();
        Request request = (internals != null) ? internals.request(facade) : null;
        if (internals == null || request == null) {
            return null;
        }
        Object processor = internals.processor(request);
        return (processor != null) ? new TomcatExchange(internals, request, processor) : null;
    }

    @Override
    public boolean takesAnswerFromElsewhere() {
        return true;
    }

    // Also if this one comes by another protocol, such as AJP: others may not.
    @Override
    public boolean noticesDeparture() {
        return true;
    }

    private boolean isHttp1() {
        return this.processor instanceof Http11Processor;
    }

    @Override
    public boolean hasClientLeft() {
        return isHttp1() ? isConnectionClosed() : this.internals.isStreamReset(this.processor);
    }

    // Looking reads into the buffer that the next request is read from, so that nothing is lost. When the connection is
    // closed something seems to be available each time, and yet the buffer stays empty. A client that has sent its next
    // request already cannot be seen leaving.
    private boolean isConnectionClosed() {
        ByteBuffer buffer = this.internals.drainedInput(this.request);
        if (buffer == null) {
            return false;
        }
        this.request.action(ActionCode.AVAILABLE, Boolean.TRUE);
        return this.request.getAvailable() > 0 && !buffer.hasRemaining();
    }

    @Override
    public @Nullable SocketChannel uninterruptibleInput() {
        SocketWrapperBase<?> socket = isHttp1() ? this.internals.socket(this.processor) : null;
        return (socket != null && socket.getSocket() instanceof NioChannel channel) ? channel.getIOChannel() : null;
    }

    @Override
    public boolean isBodyLeft() {
        return isHttp1() && !this.request.isFinished() && !this.internals.isBodyThere(this.request);
    }

    @Override
    public int keepOpenAfter(int status) {
        if (isHttp1() && this.internals.protocol(this.processor) instanceof LastingConnections) {
            this.request.setAttribute(LastingConnections.STATUS, status);
            return LastingConnections.STAND_IN;
        }
        return status;
    }

    // Given an exception it would add the error page to what has been sent, and end the stream of HTTP/2 as a complete
    // one.
    @Override
    public boolean abort() {
        if (isHttp1()) {
            this.request.action(ActionCode.CLOSE_NOW, null);
            return true;
        }
        return this.internals.resetStream(this.processor);
    }
}
