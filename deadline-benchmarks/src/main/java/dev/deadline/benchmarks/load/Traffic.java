package dev.deadline.benchmarks.load;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** What is asked for: paths of the {@link LoadServer}, and how many of ten requests go to each. */
enum Traffic {

    /** Waits for 25 to 75 ms, as for a database. */
    WAIT(new Route("/wait", 10, 50)),

    /** Computes for 5 ms. */
    CPU(new Route("/cpu", 10, 5)),

    /** Four of five requests wait for 5 to 15 ms; the fifth waits for 150 to 250 ms, which is five sixths of the work. */
    MIXED(new Route("/fast", 8, 10), new Route("/slow", 2, 200)),

    /** Does nothing. */
    NOTHING(new Route("/nothing", 10, 1));

    private static final int DECK = 10;

    private final List<Route> routes;

    Traffic(Route... routes) {
        this.routes = List.of(routes);
    }

    /**
     * One kind of request.
     *
     * @param path of it
     * @param ofTen how many of ten requests are of this kind
     * @param workMillis mean time a worker has to spend on it
     */
    record Route(String path, int ofTen, double workMillis) {}

    List<Route> routes() {
        return this.routes;
    }

    /** Mean time a worker has to spend on a request. */
    double meanWorkMillis() {
        return this.routes.stream()
                .mapToDouble(route -> route.workMillis() * route.ofTen() / DECK)
                .sum();
    }

    /**
     * Routes in random order, but the exact shares in each ten of them: otherwise chance in the mixture, and not the
     * server, would decide how many requests it can answer.
     */
    List<Route> draw(int count, Random random) {
        List<Route> drawn = new ArrayList<>(count + DECK);
        while (drawn.size() < count) {
            List<Route> deck = new ArrayList<>(DECK);
            this.routes.forEach(route -> deck.addAll(Collections.nCopies(route.ofTen(), route)));
            Collections.shuffle(deck, random);
            drawn.addAll(deck);
        }
        return drawn.subList(0, count);
    }
}
