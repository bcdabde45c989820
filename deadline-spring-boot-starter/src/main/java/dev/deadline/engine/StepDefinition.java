package dev.deadline.engine;

import dev.deadline.OnTimeout;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A step as it is declared in code.
 *
 * @param timeoutNanos {@link Budget#UNBOUNDED} if it has none
 * @param reserveNanos {@link #INHERITED} for that of the request
 * @param minimumNanos the least time with which it starts
 */
public record StepDefinition(
        String name,
        OnTimeout onTimeout,
        long timeoutNanos,
        long reserveNanos,
        long minimumNanos,
        boolean essential,
        boolean interrupt) {

    public static final long INHERITED = -1;

    /** With less than this no step starts by default; 0 means "no limit" to many clients. */
    public static final long DEFAULT_MINIMUM_NANOS = 1_000_000;

    /** What header, log and metrics call the request as a whole; no step may have this name. */
    public static final String REQUEST = "request";

    /** What the header calls the gate; no step may have this name. */
    public static final String GATE = "gate";

    private static final Pattern LEGAL_NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    // What the response header says about the request as a whole.
    private static final Set<String> RESERVED_NAMES = Set.of(REQUEST, GATE);

    public StepDefinition {
        if (!isLegalName(name)) {
            throw new InvalidSetupException(
                    "The step name '" + printable(name) + "' is illegal.",
                    "Use 1 to 64 letters, digits, dots, underscores and hyphens.");
        }
        if (RESERVED_NAMES.contains(name.toLowerCase(Locale.ROOT))) {
            throw new InvalidSetupException(
                    "The step name '" + name + "' is reserved for the response header.", "Choose another one.");
        }
    }

    /** Whether a name can be put into a header as it is. */
    public static boolean isLegalName(String name) {
        return LEGAL_NAME.matcher(name).matches();
    }

    /** A step with every setting at its default. */
    public static StepDefinition of(String name, OnTimeout onTimeout) {
        return new StepDefinition(name, onTimeout, Budget.UNBOUNDED, INHERITED, DEFAULT_MINIMUM_NANOS, false, true);
    }

    /** The form in which names are compared: lower case, letters and digits only, as in relaxed binding. */
    public static String canonical(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    private static String printable(String name) {
        String shown = name.replaceAll("[^\\x20-\\x7e]", "?");
        return (shown.length() <= 80) ? shown : shown.substring(0, 80) + "...";
    }

    public StepDefinition withTimeout(long nanos) {
        return new StepDefinition(
                this.name, this.onTimeout, nanos, this.reserveNanos, this.minimumNanos, this.essential, this.interrupt);
    }

    public StepDefinition withReserve(long nanos) {
        return new StepDefinition(
                this.name, this.onTimeout, this.timeoutNanos, nanos, this.minimumNanos, this.essential, this.interrupt);
    }

    public StepDefinition withMinimum(long nanos) {
        return new StepDefinition(
                this.name, this.onTimeout, this.timeoutNanos, this.reserveNanos, nanos, this.essential, this.interrupt);
    }

    public StepDefinition asEssential() {
        return new StepDefinition(
                this.name,
                this.onTimeout,
                this.timeoutNanos,
                this.reserveNanos,
                this.minimumNanos,
                true,
                this.interrupt);
    }

    public StepDefinition asUninterruptible() {
        return new StepDefinition(
                this.name,
                this.onTimeout,
                this.timeoutNanos,
                this.reserveNanos,
                this.minimumNanos,
                this.essential,
                false);
    }
}
