package dev.deadline.benchmarks.load;

import java.io.IOException;
import java.util.Locale;

/**
 * Runs load experiments, one cell after another, each on a fresh server, and adds the results to a table.
 *
 * <pre>
 * java -cp deadline-benchmarks/target/benchmarks.jar dev.deadline.benchmarks.load.LoadLab \
 *     --variants=bare,vegas,deadline --cells=0.97,2,3 --out=load.csv
 * </pre>
 */
public final class LoadLab {

    private static final int TRIES = 3;

    private final LabOptions options;

    private final ServerStarter servers;

    private LoadLab(LabOptions options) {
        this.options = options;
        this.servers = new ServerStarter(options);
    }

    public static void main(String[] args) throws Exception {
        LabOptions options = LabOptions.parse(args);
        options.pinning().pinThisProcess();
        new LoadLab(options).run();
    }

    private void run() throws IOException, InterruptedException {
        ResultTable table = new ResultTable(this.options.output());
        for (Cell.Threads threads : this.options.threads()) {
            for (Traffic traffic : this.options.traffic()) {
                double capacity = capacity(threads, traffic);
                for (LoadShape shape : this.options.shapes()) {
                    for (long seed : this.options.seeds()) {
                        for (Variant variant : this.options.variants()) {
                            Cell cell = new Cell(variant, threads, traffic, shape, seed);
                            table.add(validResult(cell, capacity));
                        }
                    }
                }
            }
        }
    }

    private double capacity(Cell.Threads threads, Traffic traffic) throws IOException, InterruptedException {
        if (this.options.capacity() > 0) {
            return this.options.capacity();
        }
        try (ServerProcess server = this.servers.start(Variant.BARE, threads)) {
            double capacity = new ClosedLoop().capacity(server.port(), traffic, 1);
            System.out.printf(Locale.ROOT, "Capacity %s %s: %.1f/s%n", threads, traffic, capacity);
            return capacity;
        }
    }

    /** A result of a generator that kept to its times, unless even the last try has none. */
    private CellResult validResult(Cell cell, double capacity) throws IOException, InterruptedException {
        CellResult result = result(cell, capacity);
        for (int tries = 1; !result.isValid() && tries < TRIES; tries++) {
            result = result(cell, capacity);
        }
        return result;
    }

    private CellResult result(Cell cell, double capacity) throws IOException, InterruptedException {
        Arrivals arrivals = Arrivals.draw(cell.shape(), cell.traffic(), capacity, cell.seed());
        try (ServerProcess server = this.servers.start(cell.variant(), cell.threads())) {
            Tally tally = new OpenLoop(server.port(), server::cpuNanos)
                    .run(
                            arrivals,
                            cell.shape().measuredFromSeconds(),
                            cell.shape().measuredSeconds());
            CellResult result = new CellResult(cell, capacity, tally);
            System.out.println(summary(result));
            return result;
        }
    }

    private static String summary(CellResult result) {
        Tally tally = result.tally();
        return String.format(
                Locale.ROOT,
                "%-16s %-8s %-7s %-8s sent %5d  in time %6.2f %% (work %6.2f %%)  refused %6.2f %%  served p50 %4.0f p99 %4.0f ms"
                        + "  last refusal at %4s ms  lag p99 %4.1f ms%s",
                result.cell().variant().label(),
                result.cell().threads(),
                result.cell().traffic(),
                result.cell().shape().name(),
                tally.sent(),
                100 * result.goodput(),
                100 * result.workGoodput(),
                100.0 * tally.refused() / tally.sent(),
                tally.servedMillis(50),
                tally.servedMillis(99),
                result.lastRefusal(),
                tally.lagMillis(99),
                result.isValid() ? "" : "  INVALID, the generator was late");
    }
}
