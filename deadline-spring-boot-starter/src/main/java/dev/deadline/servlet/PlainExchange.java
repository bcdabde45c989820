package dev.deadline.servlet;

import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** An exchange of a container that shows nothing beyond the Servlet API. */
enum PlainExchange implements NativeExchange {

    /** Keeps the exchange for its thread until that comes back, whoever has ended the response. */
    LENIENT,

    /** May give the connection to the next request as soon as the response is ended, or is not known not to. */
    STRICT;

    @Override
    public boolean takesAnswerFromElsewhere() {
        return this == LENIENT;
    }

    @Override
    public boolean noticesDeparture() {
        return false;
    }

    @Override
    public boolean hasClientLeft() {
        return false;
    }

    @Override
    public @Nullable SocketChannel uninterruptibleInput() {
        return null;
    }

    @Override
    public boolean isBodyLeft() {
        return false;
    }

    @Override
    public int keepOpenAfter(int status) {
        return status;
    }

    @Override
    public boolean abort() {
        return false;
    }
}
