package dev.deadline.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The page that shows the matrix. */
final class StoppingPage {

    static final Path PATH = Path.of("../docs/stopping-jdbc.md");

    private static final String HEAD = """
            # How soon JDBC calls stop

            <!-- Generated. To refresh it with the figures of this machine, on a JDK 21 or newer:
            mvn verify -pl deadline-spring-boot-starter -Dtest='dev.deadline.jdbc.StoppingMatrixTests' \\
              -Dtest.jvm=<java> -Dmatrix.page=write "-Ddeadline.test.mariadb=<url>" -->

            Each cell is a request with a budget of %d ms that a database keeps waiting: how many milliseconds past the deadline the
            caller has its thread back / the statement is gone from the server. `–` stands for no statement that could be told to go, an
            empty cell for a database without a network. The limits for the caller are 50 ms, on PostgreSQL 200 ms, as its server starts
            a process for each cancel, and on a dark network the grace of %d ms more. Afterwards the next query on the pool was
            fine, each time. What the machine itself kept threads waiting is taken off. Measured on JDK %s; the build measures again and compares which limits are kept, not the figures.

            """;

    private static final String EXCEPTIONS = """

            ## Exceptions
            - H2, lock wait: H2 does not look whether it is cancelled while it waits for a lock. The wait ends after the `LOCK_TIMEOUT` of
              the database, here %d ms.
            - Dark network: what runs on the server is not told, and ends by the server's own settings.
            """.formatted(TestDatabase.H2_LOCK_TIMEOUT);

    private StoppingPage() {}

    static String key(TestDatabase database, boolean virtual) {
        return database.label() + " | " + (virtual ? "virtual" : "platform");
    }

    static String render(Map<String, Map<MatrixSituation, MatrixCell>> rows) {
        StringBuilder page = new StringBuilder(HEAD.formatted(
                MatrixMeasurement.BUDGET.toMillis(),
                JdbcRequests.GRACE_MILLIS,
                Runtime.version().feature()));
        page.append("| database | thread |");
        for (MatrixSituation situation : MatrixSituation.values()) {
            page.append(' ').append(situation.label()).append(" |");
        }
        page.append("\n|---|---|")
                .append("---|".repeat(MatrixSituation.values().length))
                .append('\n');
        rows.forEach((key, cells) -> {
            page.append("| ").append(key).append(" |");
            for (MatrixSituation situation : MatrixSituation.values()) {
                MatrixCell cell = cells.get(situation);
                page.append(' ').append((cell != null) ? cell.text() : "").append(" |");
            }
            page.append('\n');
        });
        return page.append(EXCEPTIONS).toString();
    }

    /** The cells that are checked in. */
    static Map<String, Map<MatrixSituation, MatrixCell>> checkedIn() throws IOException {
        Map<String, Map<MatrixSituation, MatrixCell>> rows = new LinkedHashMap<>();
        for (String line : Files.readAllLines(PATH)) {
            if (line.startsWith("| ") && line.matches(".*\\d / .*")) {
                List<String> columns = Arrays.stream(line.substring(1).split("\\|", -1))
                        .map(String::trim)
                        .toList();
                Map<MatrixSituation, MatrixCell> cells = new LinkedHashMap<>();
                for (MatrixSituation situation : MatrixSituation.values()) {
                    String text = columns.get(2 + situation.ordinal());
                    if (!text.isEmpty()) {
                        cells.put(situation, MatrixCell.parse(text));
                    }
                }
                rows.put(columns.get(0) + " | " + columns.get(1), cells);
            }
        }
        return rows;
    }
}
