package dev.deadline.jdbc;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every database in every situation in which it keeps a request waiting. The whole matrix where there are virtual
 * threads; a few cells elsewhere. What is measured goes to {@code target/stopping-jdbc.md}; its verdicts have to be those
 * of the page.
 */
@Timeout(300)
class StoppingMatrixTests {

    private static final int FULL_JDK = 21;

    private record Cell(TestDatabase database, MatrixSituation situation) {}

    private static final List<Cell> SMOKE = List.of(
            new Cell(TestDatabase.POSTGRESQL, MatrixSituation.QUERY),
            new Cell(TestDatabase.POSTGRESQL, MatrixSituation.LOCK),
            new Cell(TestDatabase.POSTGRESQL, MatrixSituation.DARK),
            new Cell(TestDatabase.H2, MatrixSituation.QUERY),
            new Cell(TestDatabase.H2, MatrixSituation.POOL));

    private final JdbcRequests requests = new JdbcRequests();

    @AfterEach
    void close() {
        this.requests.close();
    }

    private static boolean isFull() {
        return Runtime.version().feature() >= FULL_JDK || "full".equals(System.getProperty("matrix"));
    }

    @Test
    void aFewCellsAreAsOnThePage() throws Exception {
        assumeTrue(!isFull());
        warmUp();
        SoftAssertions softly = new SoftAssertions();
        for (Cell cell : SMOKE) {
            compare(
                    softly,
                    cell.database(),
                    false,
                    cell.situation(),
                    measured(cell.database(), cell.situation(), false));
        }
        softly.assertAll();
    }

    @Test
    void everyCellIsAsOnThePage() throws Exception {
        assumeTrue(isFull());
        warmUp();
        Map<String, Map<MatrixSituation, MatrixCell>> rows = new LinkedHashMap<>();
        for (TestDatabase database : TestDatabase.offered()) {
            for (boolean virtual : new boolean[] {false, true}) {
                if (!virtual || Runtime.version().feature() >= FULL_JDK) {
                    rows.put(StoppingPage.key(database, virtual), row(database, virtual));
                }
            }
        }
        String page = StoppingPage.render(rows);
        Files.writeString(Path.of("target/stopping-jdbc.md"), page);
        if ("write".equals(System.getProperty("matrix.page"))) {
            Files.writeString(StoppingPage.PATH, page);
        }

        SoftAssertions softly = new SoftAssertions();
        for (TestDatabase database : TestDatabase.offered()) {
            for (boolean virtual : new boolean[] {false, true}) {
                Map<MatrixSituation, MatrixCell> cells =
                        rows.getOrDefault(StoppingPage.key(database, virtual), Map.of());
                for (Map.Entry<MatrixSituation, MatrixCell> cell : cells.entrySet()) {
                    compare(softly, database, virtual, cell.getKey(), cell.getValue());
                }
            }
        }
        softly.assertAll();
    }

    private Map<MatrixSituation, MatrixCell> row(TestDatabase database, boolean virtual) throws Exception {
        Map<MatrixSituation, MatrixCell> cells = new LinkedHashMap<>();
        for (MatrixSituation situation : MatrixSituation.values()) {
            if (situation.isPossibleIn(database)) {
                cells.put(situation, measured(database, situation, virtual));
            }
        }
        return cells;
    }

    private MatrixCell measured(TestDatabase database, MatrixSituation situation, boolean virtual) throws Exception {
        return new MatrixMeasurement(this.requests, database, situation, virtual).measure();
    }

    // The first of all loads classes.
    private void warmUp() throws Exception {
        for (TestDatabase database : TestDatabase.offered()) {
            measured(database, MatrixSituation.QUERY, false);
        }
    }

    private static void compare(
            SoftAssertions softly, TestDatabase database, boolean virtual, MatrixSituation situation, MatrixCell cell)
            throws Exception {
        long limit = situation.callerLimit(database);
        MatrixCell expected = StoppingPage.checkedIn()
                .get(StoppingPage.key(database, virtual))
                .get(situation);
        softly.assertThat(cell.verdict(limit))
                .as(database + ", " + situation.label() + ": " + cell.text())
                .isEqualTo(expected.verdict(limit));
    }
}
