package dev.deadline.benchmarks.load;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Asks as callers do who know nothing of each other: each request goes out at its time, however many are waiting. The
 * time of a request counts from when it should have been sent, so that a late generator cannot hide a late server.
 */
final class OpenLoop {

    private static final long LEAD = TimeUnit.MILLISECONDS.toNanos(50);

    private final int port;

    private final LongSupplier serverCpuNanos;

    /**
     * Asks one server.
     *
     * @param port of it
     * @param serverCpuNanos processor time it has used so far
     */
    OpenLoop(int port, LongSupplier serverCpuNanos) {
        this.port = port;
        this.serverCpuNanos = serverCpuNanos;
    }

    /** Sends all of them and counts those that were to be sent after the warm-up. */
    Tally run(Arrivals arrivals, double warmUpSeconds, double measuredSeconds) throws IOException {
        long start = System.nanoTime() + LEAD;
        long measuredFrom = start + nanos(warmUpSeconds);
        long measuredUntil = measuredFrom + nanos(measuredSeconds);
        Tally tally = new Tally(measuredFrom);
        boolean measuring = false;
        try (Client client = new Client(this.port, tally::count)) {
            int next = 0;
            while (next < arrivals.count() || client.isBusy()) {
                long now = System.nanoTime();
                if (!measuring && now - measuredFrom >= 0) {
                    measuring = true;
                    tally.cpuAtStart(this.serverCpuNanos.getAsLong());
                }
                while (next < arrivals.count() && now - (start + arrivals.nanos()[next]) >= 0) {
                    client.send(new Exchange(arrivals.routes().get(next), start + arrivals.nanos()[next]));
                    next++;
                    now = System.nanoTime();
                }
                client.turn(next < arrivals.count() ? start + arrivals.nanos()[next] : now + LEAD);
            }
            // Work that clients have given up goes on in the server: it belongs to the requests measured.
            while (System.nanoTime() - measuredUntil < 0) {
                client.turn(measuredUntil);
            }
            tally.cpuAtEnd(this.serverCpuNanos.getAsLong());
        }
        return tally;
    }

    private static long nanos(double seconds) {
        return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    }
}
