package dev.deadline.compat.clients;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.bson.BsonBinaryWriter;
import org.bson.Document;
import org.bson.codecs.DocumentCodec;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;

/** Speaks as much of MongoDB's protocol as to seem healthy, and answers commands or not. */
final class FakeMongo implements AutoCloseable {

    private static final int OP_QUERY = 2004;

    private static final int OP_REPLY = 1;

    private static final int OP_MSG = 2013;

    private static final Document DONE = new Document("ok", 1.0);

    private static final Document HELLO = new Document("ok", 1.0)
            .append("isWritablePrimary", true)
            .append("ismaster", true)
            .append("minWireVersion", 0)
            .append("maxWireVersion", 21)
            .append("maxBsonObjectSize", 16 << 20)
            .append("maxMessageSizeBytes", 48_000_000)
            .append("maxWriteBatchSize", 100_000)
            .append("readOnly", false);

    private final ServerSocket listener;

    private final List<Socket> connections = new CopyOnWriteArrayList<>();

    private final AtomicInteger closed = new AtomicInteger();

    private volatile boolean silent;

    FakeMongo() {
        try {
            this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        start(this::accept);
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "fake-mongo");
        thread.setDaemon(true);
        thread.start();
    }

    void silent(boolean changed) {
        this.silent = changed;
    }

    int port() {
        return this.listener.getLocalPort();
    }

    /** How many connections the client has closed. */
    int closed() {
        return this.closed.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = this.listener.accept();
                this.connections.add(connection);
                start(() -> serve(connection));
            }
        } catch (IOException ex) {
            // The end of the test.
        }
    }

    private void serve(Socket connection) {
        try {
            DataInputStream in = new DataInputStream(connection.getInputStream());
            while (true) {
                byte[] header = new byte[16];
                in.readFully(header);
                ByteBuffer fields = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
                byte[] body = new byte[fields.getInt(0) - header.length];
                in.readFully(body);
                String text = new String(body, StandardCharsets.ISO_8859_1);
                boolean hello = text.contains("hello") || text.contains("isMaster") || text.contains("ismaster");
                if (text.contains("maxAwaitTimeMS")) {
                    // A client that wants to hear of changes; there are none.
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
                }
                if (hello || !this.silent) {
                    byte[] answer = answer(fields.getInt(4), fields.getInt(12), hello ? HELLO : DONE);
                    connection.getOutputStream().write(answer);
                }
            }
        } catch (IOException ex) {
            this.closed.incrementAndGet();
        }
    }

    private static byte[] answer(int request, int operation, Document document) {
        BasicOutputBuffer bytes = new BasicOutputBuffer();
        new DocumentCodec()
                .encode(
                        new BsonBinaryWriter(bytes),
                        document,
                        EncoderContext.builder().build());
        byte[] bson = bytes.toByteArray();
        boolean old = operation == OP_QUERY;
        ByteBuffer answer =
                ByteBuffer.allocate(16 + (old ? 20 : 5) + bson.length).order(ByteOrder.LITTLE_ENDIAN);
        answer.putInt(answer.capacity()).putInt(1).putInt(request).putInt(old ? OP_REPLY : OP_MSG);
        if (old) {
            answer.putInt(8).putLong(0).putInt(0).putInt(1);
        } else {
            answer.putInt(0).put((byte) 0);
        }
        return answer.put(bson).array();
    }

    @Override
    public void close() throws IOException {
        this.listener.close();
        for (Socket connection : this.connections) {
            connection.close();
        }
    }
}
