package dev.deadline.aop;

import dev.deadline.engine.StepDefinition;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Guesses which name was meant by one that was misspelt. */
final class NearestName {

    private NearestName() {}

    /** The known name with the fewest letters to change, by canonical form; empty if none is known. */
    static Optional<String> of(String misspelt, Collection<String> known) {
        String wanted = StepDefinition.canonical(misspelt);
        return known.stream().min(Comparator.comparingInt(name -> distance(wanted, StepDefinition.canonical(name))));
    }

    // Levenshtein's, keeping one row of his table.
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + ((from.charAt(i - 1) == to.charAt(j - 1)) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[to.length()];
    }
}
