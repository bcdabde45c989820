package dev.deadline.benchmarks.load;

import dev.deadline.benchmarks.load.Traffic.Route;
import java.util.Locale;

/**
 * What came out of one cell.
 *
 * @param cell that was run
 * @param capacity of the server without anything in front of it, in requests a second
 * @param tally of the requests
 */
record CellResult(Cell cell, double capacity, Tally tally) {

    /** Names of the columns of {@link #row()}. */
    static final String COLUMNS =
            "variant,threads,traffic,cell,seed,capacity,sent_per_s,sent,goodput_pct,work_goodput_pct,"
                    + "in_time_pct_by_route,refused_pct,late_pct,cut_pct,failed_pct,served_p50_ms,served_p99_ms,refused_p99_ms,"
                    + "last_refusal_ms,lag_p99_ms,server_cpu_pct,server_cpu_us_per_request,valid";

    private static final double MOST_LAG_MILLIS = 50;

    /** Whether the generator kept to its times. */
    boolean isValid() {
        return this.tally.lagMillis(99) <= MOST_LAG_MILLIS;
    }

    /** Requests answered in time, as a share of what was possible: of those sent, or of the capacity if that is less. */
    double goodput() {
        return this.tally.inTime() / Math.min(this.tally.sent(), this.capacity * seconds());
    }

    /**
     * The same in work instead of requests: the mean time of a worker that a request of its route takes. Where there
     * is one route it is the same; where there are more, nobody gains by answering the cheap ones only.
     */
    double workGoodput() {
        double possible = this.capacity * this.cell.traffic().meanWorkMillis() * seconds();
        return this.tally.workInTime() / Math.min(this.tally.workAsked(), possible);
    }

    /** A line of the table of results. */
    String row() {
        return String.format(
                Locale.ROOT,
                "%s,%s,%s,%s,%d,%.1f,%.1f,%d,%.2f,%.2f,%s,%.2f,%.2f,%.2f,%.2f,%.1f,%.1f,%.1f,%s,%.1f,%.1f,%.0f,%b",
                this.cell.variant().label(),
                this.cell.threads().name().toLowerCase(Locale.ROOT),
                this.cell.traffic().name().toLowerCase(Locale.ROOT),
                this.cell.shape().name(),
                this.cell.seed(),
                this.capacity,
                this.tally.sent() / seconds(),
                this.tally.sent(),
                100 * goodput(),
                100 * workGoodput(),
                inTimeByRoute(),
                ofSent(this.tally.refused()),
                ofSent(this.tally.late()),
                ofSent(this.tally.cut()),
                ofSent(this.tally.failed()),
                this.tally.servedMillis(50),
                this.tally.servedMillis(99),
                this.tally.refusedMillis(99),
                lastRefusal(),
                this.tally.lagMillis(99),
                100 * this.tally.cpuSeconds() / seconds(),
                1e6 * this.tally.cpuSeconds() / this.tally.sent(),
                isValid());
    }

    /** When the last refused request was sent, in milliseconds from the end of the warm-up; empty if none was refused. */
    String lastRefusal() {
        return this.tally.refused() == 0 ? "" : String.format(Locale.ROOT, "%.0f", this.tally.lastRefusalMillis());
    }

    private double seconds() {
        return this.cell.shape().measuredSeconds();
    }

    private double ofSent(int count) {
        return 100.0 * count / this.tally.sent();
    }

    private String inTimeByRoute() {
        StringBuilder shares = new StringBuilder();
        for (Route route : this.cell.traffic().routes()) {
            shares.append(shares.isEmpty() ? "" : " ")
                    .append(route.path().substring(1))
                    .append(String.format(Locale.ROOT, ":%.1f", 100 * this.tally.inTimeShare(route)));
        }
        return shares.toString();
    }
}
