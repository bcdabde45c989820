package dev.deadline.servlet;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Section;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/**
 * The response as the application sees it. At the moment it is committed it says what happened to the steps; when the
 * request is to be refused it cannot be committed any more, so that the refusal can still be written.
 */
final class GuardedResponse extends HoldingResponse {

    /** OPEN becomes COMMITTED or ANSWERED, under the lock: one writer sends the headers, the handler or the library. */
    private enum State {

        /** Nothing is sent yet. */
        OPEN,

        /** The application's own answer goes out. */
        COMMITTED,

        /** The library has answered, or the request is over: whoever still writes is too late. */
        ANSWERED
    }

    private static final long UNKNOWN = -1;

    // The response that was there before any container put an including wrapper around it, which ignores headers.
    private final HttpServletResponse target;

    private final RequestDeadline deadline;

    private final ResponseMarks marks;

    // Whether this is the answer of the error page: nothing comes after it, so it is never refused.
    private final boolean last;

    // The rest is guarded by the lock.
    private State state = State.OPEN;

    private long written;

    private long length = UNKNOWN;

    private @Nullable ServletOutputStream stream;

    private @Nullable PrintWriter writer;

    /**
     * @param request as the application sees it, for it knows whether what runs is included or asynchronous
     */
    GuardedResponse(
            HttpServletRequest request,
            HttpServletResponse target,
            RequestDeadline deadline,
            ResponseMarks marks,
            boolean last) {
        super(request, target);
        this.target = target;
        this.deadline = deadline;
        this.marks = marks;
        this.last = last;
    }

    /** What is to be done with the response. */
    @FunctionalInterface
    interface Output {

        void run() throws IOException;
    }

    /**
     * Decides on the headers, if that has not been done, as they are about to be sent.
     *
     * @return whether they may be; false if the request is refused, and somebody else answers
     */
    boolean commit() {
        return commit(this.target.getStatus());
    }

    /** As {@link #commit()}, where the status is yet to be set. */
    boolean commit(int status) {
        this.lock.lock();
        try {
            if (this.state == State.OPEN && (this.last || this.deadline.mayCommit(isStreaming()))) {
                this.state = State.COMMITTED;
                decide(status);
            }
            return this.state == State.COMMITTED;
        } finally {
            this.lock.unlock();
        }
    }

    /** As {@link #commit()}, and throws where it would return false. */
    void commitForwarded() {
        if (!commit()) {
            throw this.deadline.exceeded();
        }
    }

    private void decide(int status) {
        if (this.deadline.ledger().isDegraded()) {
            this.held.clear();
            this.marks.degraded(this.target, this.deadline.mark(status));
            if (this.deadline.refusal() != null) {
                this.marks.refused(this.target);
            }
        } else {
            this.held.release(this.target);
        }
        this.marks.timed(this.target, this.deadline.ledger());
    }

    /**
     * Answers in place of the application, unless its own answer is out.
     *
     * @return whether the answer was written
     */
    boolean answer(Answer answer) throws IOException {
        this.lock.lock();
        try {
            if (this.state == State.ANSWERED || this.target.isCommitted()) {
                return false;
            }
            this.state = State.ANSWERED;
            // On an interrupted thread the container would send nothing at all.
            try (Section shield = DeadlineEngine.shield()) {
                answer.writeTo(this.target, this.deadline);
            }
            return true;
        } finally {
            this.lock.unlock();
        }
    }

    /** The request is over: its response may be serving another one already, so nothing more is let through. */
    void close() {
        this.lock.lock();
        this.state = State.ANSWERED;
        this.lock.unlock();
    }

    /** Whether anything has been sent, or been found ready to be. */
    boolean isDecided() {
        this.lock.lock();
        try {
            return this.state == State.COMMITTED;
        } finally {
            this.lock.unlock();
        }
    }

    @Override
    boolean isClosed() {
        return this.state == State.ANSWERED;
    }

    @Override
    void bodyLength(long bytes) {
        this.length = bytes;
    }

    /**
     * Passes a part of the body on.
     *
     * @param bytes how many at most
     * @throws dev.deadline.DeadlineExceededException if it does not fit into the buffer and the request is refused
     */
    void write(long bytes, Output output) throws IOException {
        this.lock.lock();
        try {
            if (isClosed()) {
                throw new IOException("The response to this request has been given already");
            }
            if (sends(bytes)) {
                if (!commit()) {
                    throw this.deadline.exceeded();
                }
                send(output);
            } else {
                output.run();
            }
            this.written += bytes;
        } finally {
            this.lock.unlock();
        }
    }

    // A container commits when its buffer overflows or the announced length is reached, and tells nobody.
    private boolean sends(long bytes) {
        long total = this.written + bytes;
        return this.state == State.COMMITTED
                || total >= getBufferSize()
                || (this.length != UNKNOWN && total >= this.length);
    }

    /** Flushes or closes, which sends the headers. Where the request is refused this is left to who answers it. */
    void flush(Output output) throws IOException {
        flush(this.target.getStatus(), output);
    }

    private void flush(int status, Output output) throws IOException {
        this.lock.lock();
        try {
            if (!isClosed() && commit(status)) {
                send(output);
            }
        } finally {
            this.lock.unlock();
        }
    }

    private static void send(Output output) throws IOException {
        try (Section shield = DeadlineEngine.shield()) {
            output.run();
        }
    }

    // Also for what ends the response otherwise: after it the container takes no more headers.
    private void end(int status, Output output) throws IOException {
        if (isIncluded()) {
            output.run();
        } else {
            flush(status, output);
        }
    }

    @Override
    public void flushBuffer() throws IOException {
        flush(super::flushBuffer);
    }

    @Override
    public void sendError(int status) throws IOException {
        end(status, () -> super.sendError(status));
    }

    @Override
    public void sendError(int status, String message) throws IOException {
        end(status, () -> super.sendError(status, message));
    }

    @Override
    public void sendRedirect(String location) throws IOException {
        end(SC_FOUND, () -> super.sendRedirect(location));
    }

    // The following three are new in Servlet 6.1, where a wrapper that does not have them is passed over. No @Override,
    // as they are not there in 6.0.

    public void sendRedirect(String location, int status) throws IOException {
        sendRedirect(location, status, true);
    }

    public void sendRedirect(String location, boolean clearBuffer) throws IOException {
        sendRedirect(location, SC_FOUND, clearBuffer);
    }

    public void sendRedirect(String location, int status, boolean clearBuffer) throws IOException {
        HttpServletResponse response = (HttpServletResponse) getResponse();
        end(status, () -> Redirect.send(response, location, status, clearBuffer));
    }

    @Override
    public void setStatus(int status) {
        change(() -> super.setStatus(status));
    }

    @Override
    public void reset() {
        change(() -> {
            super.reset();
            if (!isIncluded()) {
                this.held.clear();
                this.length = UNKNOWN;
                startOver();
                this.stream = null;
                this.writer = null;
            }
        });
    }

    @Override
    public void resetBuffer() {
        change(() -> {
            super.resetBuffer();
            if (!isIncluded()) {
                startOver();
            }
        });
    }

    private void startOver() {
        this.written = 0;
        this.state = State.OPEN;
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        this.lock.lock();
        try {
            ServletOutputStream current = this.stream;
            if (current == null) {
                current = new GuardedOutputStream(super.getOutputStream(), this);
                this.stream = current;
            }
            return current;
        } finally {
            this.lock.unlock();
        }
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        this.lock.lock();
        try {
            PrintWriter current = this.writer;
            if (current == null) {
                current = new PrintWriter(new GuardedWriter(super.getWriter(), this));
                this.writer = current;
            }
            return current;
        } finally {
            this.lock.unlock();
        }
    }
}
