package dev.deadline.http;

import dev.deadline.engine.VirtualThreads;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A body whose reader cannot be made to let go: as soon as a read would have to wait, another thread does it, and the
 * reader waits for that thread, which can be ended. Read by one thread at a time.
 */
final class HandedOverBody extends InputStream {

    private static final Log logger = LogFactory.getLog(HandedOverBody.class);

    /** Whether it has been said that readers stay behind. */
    static final AtomicBoolean TOLD = new AtomicBoolean();

    private static final Executor READERS = BodyReaders.executor();

    private static final int CHUNK = 8192;

    private final InputStream body;

    private final Runnable disconnect;

    private final long length;

    private long count;

    // Written before another thread begins to read: one that stops the call and missed it would wait for that read.
    private volatile @Nullable Read inFlight;

    /**
     * @param length how long it is; -1 if that is not known
     * @param disconnect closes the connection; not called while a read is in flight, for which it would wait
     */
    HandedOverBody(InputStream body, long length, Runnable disconnect) {
        this.body = body;
        this.length = length;
        this.disconnect = disconnect;
    }

    /**
     * Lets go of a read that is in flight. Its connection is closed as soon as the other thread can be got out of it.
     *
     * @return false if none is
     */
    boolean abandon() {
        Read read = this.inFlight;
        boolean abandoned = read != null && read.abandon();
        if (abandoned && !VirtualThreads.exist() && TOLD.compareAndSet(false, true)) {
            logger.info("The body of a response was cut that is read with SimpleClientHttpRequestFactory, the client of"
                    + " new RestTemplate(). The caller has its thread back, but before Java 21 another thread stays in"
                    + " that read, and the connection open, until the next byte or for as long as the call had. Use"
                    + " another request factory, as JdkClientHttpRequestFactory, or Java 21. This is not said again.");
        }
        return abandoned;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return (read(one, 0, 1) < 0) ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int size) throws IOException {
        if (size == 0) {
            return 0;
        }
        int ready = (this.count == this.length) ? size : Math.min(size, this.body.available());
        int got = (ready > 0) ? this.body.read(target, offset, ready) : handOver(target, offset, size);
        this.count += Math.max(0, got);
        return got;
    }

    private int handOver(byte[] target, int offset, int size) throws IOException {
        Read read = new Read(Math.min(size, CHUNK));
        this.inFlight = read;
        READERS.execute(read);
        int got = read.await();
        if (got > 0) {
            System.arraycopy(read.chunk, 0, target, offset, got);
        }
        return got;
    }

    @Override
    public int available() throws IOException {
        return this.body.available();
    }

    @Override
    public void close() throws IOException {
        this.body.close();
    }

    /**
     * One read by another thread. Its monitor closes two races: a read that is abandoned just when it returns would
     * leave the connection open if neither thread closed it, and an interrupt must not reach the other thread when that
     * has gone on to something else.
     */
    private final class Read implements Runnable {

        private final byte[] chunk;

        private int got;

        private @Nullable Throwable failure;

        private @Nullable Thread reader;

        private boolean over;

        private boolean abandoned;

        Read(int size) {
            this.chunk = new byte[size];
        }

        @Override
        public void run() {
            if (begin()) {
                try {
                    this.got = HandedOverBody.this.body.read(this.chunk);
                } catch (Throwable ex) {
                    this.failure = ex;
                }
            }
            if (end()) {
                // It was interrupted for that read only.
                Thread.interrupted();
                HandedOverBody.this.disconnect.run();
            }
        }

        private synchronized boolean begin() {
            this.reader = Thread.currentThread();
            return !this.abandoned;
        }

        private synchronized boolean end() {
            this.reader = null;
            this.over = true;
            notifyAll();
            return this.abandoned;
        }

        synchronized boolean abandon() {
            if (this.over) {
                return false;
            }
            this.abandoned = true;
            if (this.reader != null) {
                this.reader.interrupt();
            }
            notifyAll();
            return true;
        }

        synchronized int await() throws IOException {
            boolean interrupted = false;
            while (!this.over && !this.abandoned) {
                try {
                    wait();
                } catch (InterruptedException ex) {
                    // Reading from a socket is not interruptible either.
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            if (this.abandoned) {
                throw new IOException("The deadline has passed");
            }
            if (this.failure instanceof IOException ex) {
                throw ex;
            }
            if (this.failure != null) {
                throw new IOException("The body could not be read", this.failure);
            }
            return this.got;
        }
    }
}
