package dev.deadline.benchmarks.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** A connection that is kept alive and carries one exchange at a time. It never blocks. */
final class Connection {

    private final SocketChannel channel;

    private final SelectionKey key;

    private final ResponseReader reader = new ResponseReader();

    private ByteBuffer unsent;

    private Exchange exchange;

    Connection(InetSocketAddress server, Selector selector) throws IOException {
        this.channel = SocketChannel.open();
        this.channel.configureBlocking(false);
        this.channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        boolean connected = this.channel.connect(server);
        this.key = this.channel.register(selector, connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, this);
    }

    /** Sends a request, as soon as there is a connection. */
    void begin(Exchange exchange) throws IOException {
        this.exchange = exchange;
        this.unsent =
                ByteBuffer.wrap(("GET " + exchange.route().path() + " HTTP/1.1\r\nHost: load\r\nAccept: */*\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        write();
    }

    /** The exchange under way; null without one. */
    Exchange exchange() {
        return this.exchange;
    }

    /**
     * Goes on after the selector found something to do.
     *
     * @param buffer to read into
     * @return the response, once it is complete; else null
     * @throws IOException if the connection is lost
     */
    Response proceed(ByteBuffer buffer) throws IOException {
        if (this.key.isConnectable()) {
            this.channel.finishConnect();
        }
        write();
        Response response = null;
        if (this.channel.isConnected()) {
            buffer.clear();
            if (this.channel.read(buffer) < 0) {
                throw new IOException("The server has closed the connection");
            }
            response = this.reader.add(buffer.flip());
        }
        if (response != null) {
            this.exchange = null;
        }
        return response;
    }

    void close() {
        this.key.cancel();
        try {
            this.channel.close();
        } catch (IOException ex) {
            // Nobody uses it any more.
        }
    }

    private void write() throws IOException {
        if (!this.channel.isConnected()) {
            return;
        }
        if (this.unsent != null && this.unsent.hasRemaining()) {
            this.channel.write(this.unsent);
        }
        boolean more = this.unsent != null && this.unsent.hasRemaining();
        this.key.interestOps(more ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
    }
}
