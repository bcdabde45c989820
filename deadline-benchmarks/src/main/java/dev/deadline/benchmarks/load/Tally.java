package dev.deadline.benchmarks.load;

import dev.deadline.benchmarks.load.Traffic.Route;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Counts what came of the requests of a run that were to be sent after its warm-up. */
final class Tally {

    /** Time within which a response is worth something. */
    static final long OBJECTIVE = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long LONGEST = TimeUnit.SECONDS.toNanos(60);

    private final long fromNanos;

    private final Map<Route, int[]> sentAndInTime = new HashMap<>();

    private final Histogram served = new Histogram(LONGEST, 3);

    private final Histogram refused = new Histogram(LONGEST, 3);

    private final Histogram lag = new Histogram(LONGEST, 3);

    private int cut;

    private int failed;

    private long lastRefusalNanos;

    private long cpuNanos;

    Tally(long fromNanos) {
        this.fromNanos = fromNanos;
    }

    void cpuAtStart(long nanos) {
        this.cpuNanos -= nanos;
    }

    void cpuAtEnd(long nanos) {
        this.cpuNanos += nanos;
    }

    void count(Exchange exchange) {
        long since = exchange.intendedNanos() - this.fromNanos;
        if (since < 0) {
            return;
        }
        this.lag.recordValue(Math.max(0, exchange.lagNanos()));
        int[] counts = this.sentAndInTime.computeIfAbsent(exchange.route(), route -> new int[2]);
        counts[0]++;
        if (exchange.result() != Exchange.Result.ANSWERED) {
            this.failed++;
        } else if (exchange.response().isOk()) {
            this.served.recordValue(exchange.latencyNanos());
            counts[1] += exchange.latencyNanos() <= OBJECTIVE ? 1 : 0;
        } else if (exchange.response().isRefusal()) {
            this.refused.recordValue(exchange.latencyNanos());
            this.lastRefusalNanos = Math.max(this.lastRefusalNanos, since);
        } else if (exchange.response().isCut()) {
            this.cut++;
        } else {
            this.failed++;
        }
    }

    int sent() {
        return (int) this.lag.getTotalCount();
    }

    int inTime() {
        return this.sentAndInTime.values().stream()
                .mapToInt(counts -> counts[1])
                .sum();
    }

    /** Share of the requests of one route that were answered in time. */
    double inTimeShare(Route route) {
        int[] counts = this.sentAndInTime.getOrDefault(route, new int[] {1, 0});
        return counts[1] / (double) counts[0];
    }

    /** Work, in milliseconds of a worker, that was asked for. */
    double workAsked() {
        return work(0);
    }

    /** Work, in milliseconds of a worker, that reached its caller in time. */
    double workInTime() {
        return work(1);
    }

    /** Answered, but too late to be worth anything. */
    int late() {
        return (int) this.served.getTotalCount() - inTime();
    }

    int refused() {
        return (int) this.refused.getTotalCount();
    }

    /** Ended by the end of the budget, in the queue or while they were worked on. */
    int cut() {
        return this.cut;
    }

    /** Given up by the client, broken, or answered with an error. */
    int failed() {
        return this.failed;
    }

    double servedMillis(double percentile) {
        return millis(this.served, percentile);
    }

    double refusedMillis(double percentile) {
        return millis(this.refused, percentile);
    }

    double lagMillis(double percentile) {
        return millis(this.lag, percentile);
    }

    /** When the last refused request was sent, from the end of the warm-up, if any was. */
    double lastRefusalMillis() {
        return this.lastRefusalNanos / 1e6;
    }

    /** Processor time that the server used meanwhile. */
    double cpuSeconds() {
        return this.cpuNanos / 1e9;
    }

    private double work(int which) {
        return this.sentAndInTime.entrySet().stream()
                .mapToDouble(entry -> entry.getKey().workMillis() * entry.getValue()[which])
                .sum();
    }

    private static double millis(Histogram histogram, double percentile) {
        return histogram.getValueAtPercentile(percentile) / 1e6;
    }
}
