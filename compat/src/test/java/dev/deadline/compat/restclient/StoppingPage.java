package dev.deadline.compat.restclient;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The page that shows the matrix. */
final class StoppingPage {

    static final Path PATH = Path.of("../../docs/stopping-http.md");

    private static final String HEAD = """
            # How soon HTTP calls stop

            <!-- Generated. To refresh it with the figures of this machine, on a JDK 21 or newer:
            mvn verify -pl compat/boot35 -am -DskipStarterTests -Dtest=StoppingMatrixTests \\
              -Dsurefire.failIfNoSpecifiedTests=false -Dtest.jvm=<java> -Dmatrix.page=write -->

            Each cell is a call with a budget of %d ms to an upstream that keeps it waiting, on real sockets: how many milliseconds past
            the deadline the caller has its thread back / the upstream sees its connection closed. The limits are %d and %d ms. `–` stands
            for no connection that could be closed, `open` for one that was open a second later, an empty cell for a client without a
            limited pool. Measured on JDK %s with Spring Boot 3.5; the build measures again and compares
            which limits are kept, not the figures.

            """;

    private StoppingPage() {}

    static String key(MatrixClient client, boolean virtual) {
        return client.label() + " | " + (virtual ? "virtual" : "platform");
    }

    static String render(Map<String, Map<MatrixFault, MatrixCell>> rows, String exceptions) {
        StringBuilder page = new StringBuilder(HEAD.formatted(
                250,
                MatrixCell.CALLER_LIMIT,
                MatrixCell.UPSTREAM_LIMIT,
                Runtime.version().feature()));
        page.append("| client | thread |");
        for (MatrixFault fault : MatrixFault.values()) {
            page.append(' ').append(fault.label()).append(" |");
        }
        page.append("\n|---|---|")
                .append("---|".repeat(MatrixFault.values().length))
                .append('\n');
        rows.forEach((key, cells) -> {
            page.append("| ").append(key).append(" |");
            for (MatrixFault fault : MatrixFault.values()) {
                MatrixCell cell = cells.get(fault);
                page.append(' ').append((cell != null) ? cell.text() : "").append(" |");
            }
            page.append('\n');
        });
        List<Long> callers = rows.values().stream()
                .flatMap(cells -> cells.values().stream())
                .map(MatrixCell::caller)
                .sorted()
                .toList();
        page.append("\nThe caller: median ").append(callers.get(callers.size() / 2));
        page.append(" ms, at most ").append(callers.get(callers.size() - 1)).append(" ms.\n\n");
        return page.append(exceptions).toString();
    }

    /** The cells that are checked in. */
    static Map<String, Map<MatrixFault, MatrixCell>> checkedIn() throws IOException {
        Map<String, Map<MatrixFault, MatrixCell>> rows = new LinkedHashMap<>();
        for (String line : Files.readAllLines(PATH)) {
            List<String> columns = columns(line);
            if (columns.size() == 2 + MatrixFault.values().length && line.matches(".*\\d / .*")) {
                Map<MatrixFault, MatrixCell> cells = new LinkedHashMap<>();
                for (MatrixFault fault : MatrixFault.values()) {
                    String text = columns.get(2 + fault.ordinal());
                    if (!text.isEmpty()) {
                        cells.put(fault, MatrixCell.parse(text));
                    }
                }
                rows.put(columns.get(0) + " | " + columns.get(1), cells);
            }
        }
        return rows;
    }

    private static List<String> columns(String line) {
        List<String> columns = new ArrayList<>();
        if (line.startsWith("| ")) {
            String[] parts = line.substring(1, line.lastIndexOf('|')).split("\\|", -1);
            for (String part : parts) {
                columns.add(part.trim());
            }
        }
        return columns.stream().collect(Collectors.toList());
    }
}
