package dev.deadline.report;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/**
 * Meters that differ in one tag, made when they are first asked for; all names after the first so many share those
 * named {@code other}.
 *
 * @param <M> the meter, or group of meters, of one name
 */
final class BoundedMeters<M> {

    private static final String OTHER = "other";

    private final ConcurrentMap<String, M> meters = new ConcurrentHashMap<>();

    private final int limit;

    private final Function<String, M> factory;

    BoundedMeters(int limit, Function<String, M> factory) {
        this.limit = limit;
        this.factory = factory;
    }

    M get(String name) {
        M known = this.meters.get(name);
        return (known != null) ? known : add(name);
    }

    // Locked, as several threads that found room could otherwise take more than there was.
    private synchronized M add(String name) {
        boolean room = this.meters.size() < this.limit;
        return this.meters.computeIfAbsent((room || this.meters.containsKey(name)) ? name : OTHER, this.factory);
    }
}
