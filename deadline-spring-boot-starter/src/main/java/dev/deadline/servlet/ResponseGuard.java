package dev.deadline.servlet;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Section;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Decides who sends the headers of a response, and what they say: the application, with the marks of its steps, or the
 * library, which refuses the request. Everything that is written goes through here.
 */
final class ResponseGuard {

    /** OPEN becomes COMMITTED or ANSWERED, under the lock, so exactly one of the two sends the headers. */
    private enum State {

        /** Nothing is sent yet. */
        OPEN,

        /** The application's own answer goes out. */
        COMMITTED,

        /** The library has answered: whoever still writes is too late. */
        ANSWERED,

        /** The request is over: its response may be serving another one already. */
        OVER
    }

    /** What is to be done with the response. */
    @FunctionalInterface
    interface Output {

        void run() throws IOException;
    }

    /** How the application gets at the body. */
    @FunctionalInterface
    interface Way<T> {

        T open() throws IOException;
    }

    private static final long UNKNOWN = -1;

    private static final int AS_IT_IS = -1;

    // Guards all fields below and all writing to the response: the request's thread, one that streams for it, and one
    // that answers in its place may meet here. Not a monitor, because it is held while a slow client takes its bytes,
    // and a monitor would pin a virtual thread to its carrier on JDK 21 to 23.
    private final ReentrantLock lock = new ReentrantLock();

    private final HeldBackHeaders held = new HeldBackHeaders();

    // Volatile for who asks while another thread has the lock for as long as its client takes. Whoever works for other
    // requests as well must not wait for that.
    private volatile State state = State.OPEN;

    // Whether the request's thread is inside the filter. While it is, the container cannot recycle the response, so
    // others may touch it, under the lock; leaving takes the lock too and so waits for them.
    private boolean attended;

    private long written;

    private long length = UNKNOWN;

    private final HttpServletRequest request;

    // The response that was there before any container put an including wrapper around it, which ignores headers.
    private final HttpServletResponse target;

    private final RequestDeadline deadline;

    private final ResponseMarks marks;

    private final boolean last;

    /**
     * @param request as the application sees it, for it knows whether what runs is included or asynchronous
     * @param last whether this is the answer of the error page: nothing comes after it, so it is never refused
     */
    ResponseGuard(
            HttpServletRequest request,
            HttpServletResponse target,
            RequestDeadline deadline,
            ResponseMarks marks,
            boolean last) {
        this.request = request;
        this.target = target;
        this.deadline = deadline;
        this.marks = marks;
        this.last = last;
    }

    /** The headers that are held back; to be touched inside of {@link #change} only. */
    HeldBackHeaders held() {
        return this.held;
    }

    /** Whether what runs is included in another resource, and so may write to the body but to nothing else. */
    boolean isIncluded() {
        return this.request.getAttribute(RequestDispatcher.INCLUDE_REQUEST_URI) != null;
    }

    /**
     * Decides on the headers, if that has not been done, as they are about to be sent.
     *
     * @return whether they may be; false if the request is refused, and somebody else answers
     */
    boolean commit() {
        return commit(AS_IT_IS);
    }

    /** As {@link #commit()}, where the status is yet to be set. */
    boolean commit(int status) {
        this.lock.lock();
        try {
            // A body that is written while the request is asynchronous is a stream.
            if (this.state == State.OPEN && (this.last || this.deadline.mayCommit(this.request.isAsyncStarted()))) {
                this.state = State.COMMITTED;
                decide(status);
            }
            return this.state == State.COMMITTED;
        } finally {
            this.lock.unlock();
        }
    }

    private void decide(int status) {
        if (this.deadline.ledger().isDegraded()) {
            this.held.clear();
            this.marks.degraded(
                    this.target, this.deadline.mark((status == AS_IT_IS) ? this.target.getStatus() : status));
            if (this.deadline.refusal() != null) {
                this.marks.refused(this.target);
            }
        } else {
            this.held.release(this.target);
        }
        this.marks.timed(this.target, this.deadline.ledger());
    }

    /**
     * Whether the headers have been sent, or been found ready to be. Never waits for who writes. Once the time of an
     * asynchronous request is up, a no stays a no: a stream commits by ending the scope, which cannot be cancelled then,
     * and all else is written in a dispatch, before which the asynchronous processing has ended.
     */
    boolean isCommitted() {
        return this.state == State.COMMITTED;
    }

    /**
     * Answers in place of the application, unless its own answer is out.
     *
     * @return whether the library's answer stands, this one or an earlier one
     */
    boolean answer(Answer answer) throws IOException {
        this.lock.lock();
        try {
            if (isOpen()) {
                this.state = State.ANSWERED;
                send(() -> answer.writeTo(this.request, this.target, this.deadline));
            }
            return this.state == State.ANSWERED;
        } finally {
            this.lock.unlock();
        }
    }

    /**
     * Answers in place of the request's own thread, which is somewhere in the application and does not come back. Does
     * nothing if an answer is out or the thread has left.
     *
     * @param allowed asked while the thread cannot leave
     * @return false if the response is being used at the moment, so that this is to be tried again
     */
    boolean answerFromElsewhere(Answer answer, BooleanSupplier allowed) throws IOException {
        // Not waited for: the thread may be writing to a client that takes nothing.
        if (!this.lock.tryLock()) {
            return this.state != State.OPEN;
        }
        try {
            if (this.attended && isOpen() && allowed.getAsBoolean()) {
                this.state = State.ANSWERED;
                this.deadline.refuseFromElsewhere();
                send(() -> answer.writeOut(this.target, this.deadline));
            }
            return true;
        } finally {
            this.lock.unlock();
        }
    }

    private boolean isOpen() {
        return !isTooLate() && !this.target.isCommitted();
    }

    private boolean isTooLate() {
        return this.state == State.ANSWERED || this.state == State.OVER;
    }

    /**
     * Ends the response of the application, whose head is out and whose rest will not come.
     *
     * @return false if the container is to do that, when it is given what went wrong
     */
    boolean abort() {
        this.lock.lock();
        try {
            return !isTooLate() && NativeExchange.of(this.request).abort();
        } finally {
            this.lock.unlock();
        }
    }

    /** The request's thread has come in. */
    void attend() {
        this.lock.lock();
        this.attended = true;
        this.lock.unlock();
    }

    /** The request's thread goes. From here on nothing from elsewhere touches the response. */
    void leave() {
        this.lock.lock();
        this.attended = false;
        this.lock.unlock();
    }

    /**
     * Takes a look at something of the container's while nobody uses the response and the request's thread is inside.
     *
     * @return what the look says; false if it was not taken
     */
    boolean look(BooleanSupplier look) {
        if (!this.lock.tryLock()) {
            return false;
        }
        try {
            return this.attended && look.getAsBoolean();
        } finally {
            this.lock.unlock();
        }
    }

    /**
     * Makes this the last response of its connection.
     *
     * @return whether it is; false if it is too late to say so
     */
    boolean closeConnection() {
        this.lock.lock();
        try {
            if (isOpen()) {
                Answer.announceClose(this.target);
                return true;
            }
            // Then it was given from elsewhere, and has said so.
            return this.state == State.ANSWERED;
        } finally {
            this.lock.unlock();
        }
    }

    /** The request is over: nothing more is let through. */
    void close() {
        this.lock.lock();
        this.state = State.OVER;
        this.lock.unlock();
    }

    /** Changes something other than the body; not done any more if somebody else has answered. */
    void change(Runnable change) {
        this.lock.lock();
        try {
            if (!isTooLate()) {
                change.run();
            }
        } finally {
            this.lock.unlock();
        }
    }

    /**
     * Opens a way to the body.
     *
     * @throws IOException if somebody else has answered
     */
    <T> T open(Way<T> way) throws IOException {
        this.lock.lock();
        try {
            refuseIfTooLate();
            return way.open();
        } finally {
            this.lock.unlock();
        }
    }

    private void refuseIfTooLate() throws IOException {
        if (isTooLate()) {
            throw new IOException("The response to this request has been given already");
        }
    }

    /** Hears of the length of the body that is announced; inside of {@link #change}. */
    void announced(long bytes) {
        this.length = bytes;
    }

    /** The body was taken back, and if everything was, the headers with it; inside of {@link #change}. */
    void startOver(boolean everything) {
        this.written = 0;
        this.state = State.OPEN;
        if (everything) {
            this.held.clear();
            this.length = UNKNOWN;
        }
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
            refuseIfTooLate();
            if (sends(bytes)) {
                commitOrThrow();
                send(output);
            } else {
                output.run();
            }
            this.written += bytes;
        } finally {
            this.lock.unlock();
        }
    }

    /** As {@link #commit()}, and throws where that would return false. */
    void commitOrThrow() {
        if (!commit()) {
            throw this.deadline.exceeded();
        }
    }

    // A container commits when its buffer overflows or the announced length is reached, and tells nobody.
    private boolean sends(long bytes) {
        long total = this.written + bytes;
        return this.state == State.COMMITTED
                || total >= this.target.getBufferSize()
                || (this.length != UNKNOWN && total >= this.length);
    }

    /** Flushes or closes, which sends the headers. Where the request is refused this is left to who answers it. */
    void flush(Output output) throws IOException {
        flush(AS_IT_IS, output);
    }

    /** As {@link #flush(Output)}, for what sets the status as well. Means nothing in an included resource. */
    void end(int status, Output output) throws IOException {
        if (isIncluded()) {
            output.run();
        } else {
            flush(status, output);
        }
    }

    private void flush(int status, Output output) throws IOException {
        this.lock.lock();
        try {
            if (!isTooLate() && commit(status)) {
                send(output);
            }
        } finally {
            this.lock.unlock();
        }
    }

    // On an interrupted thread the container would send nothing at all.
    private void send(Output output) throws IOException {
        try (Section shield = DeadlineEngine.shield()) {
            output.run();
        } catch (IOException ex) {
            if (Departure.isSeenIn(ex)) {
                this.deadline.departed();
            }
            throw ex;
        }
    }
}
