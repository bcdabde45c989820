package dev.deadline.benchmarks.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** Results in a file of comma-separated values, to which every run adds, so that a run that breaks off loses nothing. */
final class ResultTable {

    private final Path file;

    ResultTable(Path file) {
        this.file = file;
    }

    void add(CellResult result) throws IOException {
        if (Files.notExists(this.file)) {
            Files.writeString(this.file, CellResult.COLUMNS + "\n");
        }
        Files.writeString(this.file, result.row() + "\n", StandardOpenOption.APPEND);
    }

    /** The valid rows, each split into its columns. */
    static List<String[]> validRows(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .skip(1)
                .map(line -> line.split(","))
                .filter(row -> Boolean.parseBoolean(row[row.length - 1]))
                .toList();
    }
}
