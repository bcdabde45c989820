package dev.deadline.benchmarks.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Sends requests over as many kept-alive connections as it takes, from one thread that never waits for any of them. A
 * request without an answer one second after it should have been sent is abandoned and its connection closed, as
 * impatient callers do.
 */
final class Client implements AutoCloseable {

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);

    private static final long SHORT_PAUSE = TimeUnit.MICROSECONDS.toNanos(50);

    private final InetSocketAddress server;

    private final Consumer<Exchange> whenOver;

    private final Selector selector;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(64 * 1024);

    private final Deque<Connection> idle = new ArrayDeque<>();

    /** In the order in which they are given up. */
    private final Deque<Connection> busy = new ArrayDeque<>();

    /**
     * A client without any connection yet.
     *
     * @param port of the server on this machine
     * @param whenOver called by the thread that calls {@link #turn}
     */
    Client(int port, Consumer<Exchange> whenOver) throws IOException {
        this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.whenOver = whenOver;
        this.selector = Selector.open();
    }

    /** Sends a request now. */
    void send(Exchange exchange) throws IOException {
        Connection connection = this.idle.pollFirst();
        exchange.sent(System.nanoTime());
        if (connection == null) {
            connection = new Connection(this.server, this.selector);
        }
        this.busy.addLast(connection);
        try {
            connection.begin(exchange);
        } catch (IOException ex) {
            lose(connection);
        }
    }

    boolean isBusy() {
        return !this.busy.isEmpty();
    }

    /** Waits for responses until then at most, and handles those that are there. */
    void turn(long untilNanos) throws IOException {
        giveUpOnLateOnes();
        long wait = Math.min(untilNanos - System.nanoTime(), TimeUnit.MILLISECONDS.toNanos(10));
        long millis = TimeUnit.NANOSECONDS.toMillis(wait);
        if (millis > 0) {
            this.selector.select(this::proceed, millis);
        } else {
            // The selector knows no time shorter than a millisecond.
            if (this.selector.selectNow(this::proceed) == 0 && wait > 0) {
                LockSupport.parkNanos(Math.min(wait, SHORT_PAUSE));
            }
        }
    }

    @Override
    public void close() {
        List.copyOf(this.selector.keys()).forEach(key -> ((Connection) key.attachment()).close());
        try {
            this.selector.close();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private void proceed(SelectionKey key) {
        Connection connection = (Connection) key.attachment();
        Exchange exchange = connection.exchange();
        try {
            Response response = connection.proceed(this.buffer);
            if (response != null) {
                this.busy.remove(connection);
                exchange.answered(response, System.nanoTime());
                if (response.lasts()) {
                    this.idle.addFirst(connection);
                } else {
                    connection.close();
                }
                this.whenOver.accept(exchange);
            }
        } catch (IOException ex) {
            lose(connection);
        }
    }

    private void giveUpOnLateOnes() {
        long now = System.nanoTime();
        List<Connection> late = new ArrayList<>();
        while (isBusy() && now - this.busy.peekFirst().exchange().intendedNanos() > PATIENCE) {
            late.add(this.busy.pollFirst());
        }
        late.forEach(connection -> drop(connection, Exchange.Result.GAVE_UP));
    }

    private void lose(Connection connection) {
        this.idle.remove(connection);
        this.busy.remove(connection);
        drop(connection, Exchange.Result.BROKEN);
    }

    private void drop(Connection connection, Exchange.Result result) {
        connection.close();
        Exchange exchange = connection.exchange();
        if (exchange != null) {
            exchange.end(result, System.nanoTime());
            this.whenOver.accept(exchange);
        }
    }
}
