package dev.deadline.compat.restclient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.deadline.compat.webclient.WebClientApplication;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Every client against every way to keep it waiting. The whole matrix where there are virtual threads, once; a few cells
 * elsewhere. What is measured goes to {@code target/stopping-http.md}; its verdicts have to be those of the page.
 */
class StoppingMatrixTests {

    private static final String EXCEPTIONS = """
            ## Exceptions
            - Unconnectable, JDK and Jetty: the caller is released, but the operating system goes on trying to connect until the client's own
              connect timeout. Set one.
            - Simple on a JDK before 21, dripping or stalling body: the caller is released in time. The thread that reads in
              its place gets out at the next byte, or after as long as the call had; then the JDK reads on for up to five seconds
              where the length of the body is known and less than 512 KB is missing. From JDK 21 on its connection is closed at once.
            - JDK and Simple have no limited pool, so there is no exhausted one.
            """;

    private static final int FULL_JDK = 21;

    private static ConfigurableApplicationContext application;

    private record Cell(MatrixClient client, MatrixFault fault) {}

    private static final List<Cell> SMOKE = List.of(
            new Cell(MatrixClient.JDK, MatrixFault.SILENT),
            new Cell(MatrixClient.HC5, MatrixFault.DRIPPING),
            new Cell(MatrixClient.HC5, MatrixFault.POOL),
            new Cell(MatrixClient.JETTY, MatrixFault.DRIPPING_LENGTH),
            new Cell(MatrixClient.REACTOR, MatrixFault.DRIPPING),
            new Cell(MatrixClient.SIMPLE, MatrixFault.SILENT),
            new Cell(MatrixClient.WEBCLIENT, MatrixFault.REDIRECT));

    @BeforeAll
    static void start() {
        application = WebClientApplication.start();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static boolean isFull() {
        boolean once = System.getProperty("boot.version", "").startsWith("3.");
        return Runtime.version().feature() >= FULL_JDK && once || "full".equals(System.getProperty("matrix"));
    }

    @Test
    void aFewCellsAreAsOnThePage() throws Exception {
        assumeTrue(!isFull());
        SoftAssertions softly = new SoftAssertions();
        for (Cell cell : SMOKE) {
            MatrixCell measured = new MatrixMeasurement(application, cell.client(), cell.fault(), false).measure();
            MatrixCell expected = StoppingPage.checkedIn()
                    .get(StoppingPage.key(cell.client(), false))
                    .get(cell.fault());
            softly.assertThat(measured.verdict())
                    .as(cell + ": " + measured.text())
                    .isEqualTo(expected.verdict());
        }
        softly.assertAll();
    }

    @Test
    void everyCellIsAsOnThePage() throws Exception {
        assumeTrue(isFull());
        Map<String, Map<MatrixFault, MatrixCell>> rows = new LinkedHashMap<>();
        for (MatrixClient client : MatrixClient.values()) {
            rows.put(StoppingPage.key(client, false), row(client, false));
            if (Runtime.version().feature() >= FULL_JDK) {
                rows.put(StoppingPage.key(client, true), row(client, true));
            }
        }
        String page = StoppingPage.render(rows, EXCEPTIONS);
        Files.writeString(Path.of("target/stopping-http.md"), page);
        if ("write".equals(System.getProperty("matrix.page"))) {
            Files.writeString(StoppingPage.PATH, page);
        }

        Map<String, Map<MatrixFault, MatrixCell>> expected = StoppingPage.checkedIn();
        SoftAssertions softly = new SoftAssertions();
        rows.forEach((key, cells) -> cells.forEach((fault, cell) -> softly.assertThat(cell.verdict())
                .as(key + ", " + fault.label() + ": " + cell.text())
                .isEqualTo(expected.get(key).get(fault).verdict())));
        softly.assertAll();
    }

    @Test
    void pageNamesNoCallerThatIsHeld() throws Exception {
        assertThat(StoppingPage.checkedIn().values())
                .isNotEmpty()
                .allSatisfy(cells -> assertThat(cells.values())
                        .allSatisfy(cell -> assertThat(cell.caller()).isLessThanOrEqualTo(MatrixCell.CALLER_LIMIT)));
    }

    private static Map<MatrixFault, MatrixCell> row(MatrixClient client, boolean virtual) throws Exception {
        Map<MatrixFault, MatrixCell> cells = new LinkedHashMap<>();
        for (MatrixFault fault : MatrixFault.values()) {
            if (fault != MatrixFault.POOL || client.hasPool()) {
                cells.put(fault, new MatrixMeasurement(application, client, fault, virtual).measure());
            }
        }
        return cells;
    }
}
