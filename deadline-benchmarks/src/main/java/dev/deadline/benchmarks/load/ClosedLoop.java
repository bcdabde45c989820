package dev.deadline.benchmarks.load;

import dev.deadline.benchmarks.load.Traffic.Route;
import java.io.IOException;
import java.util.Iterator;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Finds out what a server can do: a fixed number of clients, each of which asks again once it has its answer. */
final class ClosedLoop {

    private static final int CLIENTS = 32;

    private static final int MOST_PER_SECOND = 50_000;

    private static final long WARM_UP = TimeUnit.SECONDS.toNanos(4);

    private static final long MEASURED = TimeUnit.SECONDS.toNanos(8);

    private Client client;

    private int answered;

    private long measuredFrom;

    private Iterator<Route> routes;

    /** How many requests a second are answered by the server at that port. */
    double capacity(int port, Traffic traffic, long seed) throws IOException {
        this.routes = traffic.draw(MOST_PER_SECOND, new Random(seed)).iterator();
        this.measuredFrom = System.nanoTime() + WARM_UP;
        long end = this.measuredFrom + MEASURED;
        try (Client opened = new Client(port, this::next)) {
            this.client = opened;
            for (int i = 0; i < CLIENTS; i++) {
                send();
            }
            while (System.nanoTime() - end < 0) {
                opened.turn(end);
            }
        }
        return this.answered / (MEASURED / 1e9);
    }

    private void next(Exchange exchange) {
        boolean measured = System.nanoTime() - this.measuredFrom >= 0;
        if (measured
                && exchange.result() == Exchange.Result.ANSWERED
                && exchange.response().isOk()) {
            this.answered++;
        }
        send();
    }

    private void send() {
        try {
            this.client.send(new Exchange(this.routes.next(), System.nanoTime()));
        } catch (IOException ex) {
            throw new IllegalStateException("No connection can be opened", ex);
        }
    }
}
