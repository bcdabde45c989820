package dev.deadline.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an exception has been made of. */
public final class Causes {

    // Bounded, as a chain of causes may be circular.
    private static final int DEPTH = 16;

    private Causes() {}

    /** The failure itself and its causes, outermost first, as far as such chains go; empty for null. */
    public static List<Throwable> of(@Nullable Throwable failure) {
        List<Throwable> causes = new ArrayList<>();
        for (Throwable cause = failure; cause != null && causes.size() < DEPTH; cause = cause.getCause()) {
            causes.add(cause);
        }
        return causes;
    }
}
