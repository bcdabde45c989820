package dev.deadline.gateway;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32;

/**
 * How much one client may ask of some of the paths: so many requests in a period, and so many at once after a pause.
 * Immutable.
 */
public final class LimitRule {

    private static final double SECOND = 1e9;

    private final int index;

    private final LimitKey key;

    private final List<String> paths;

    private final long limit;

    private final long periodNanos;

    private final long burst;

    private final String policyField;

    /**
     * @param index of the rule among all
     * @param limit how many requests in a period; 1 or more
     * @param periodNanos 1 or more
     * @param burst how many at once; 1 or more
     */
    public LimitRule(int index, LimitKey key, List<String> paths, long limit, long periodNanos, long burst) {
        this.index = index;
        this.key = key;
        this.paths = List.copyOf(paths);
        this.limit = limit;
        this.periodNanos = periodNanos;
        this.burst = burst;
        this.policyField = name() + ";q=" + burst + ";w=" + (long) Math.ceil(fillNanos() / SECOND);
    }

    int index() {
        return this.index;
    }

    LimitKey key() {
        return this.key;
    }

    List<String> paths() {
        return this.paths;
    }

    long limit() {
        return this.limit;
    }

    long periodNanos() {
        return this.periodNanos;
    }

    long burst() {
        return this.burst;
    }

    /** After how many nanoseconds without requests everything may be asked for again; at least 1. */
    long fillNanos() {
        return (long) Math.ceil((double) this.burst * this.periodNanos / this.limit);
    }

    /** The value of the field {@code RateLimit-Policy}: what is allowed in how many whole seconds. */
    String policyField() {
        return this.policyField;
    }

    /** The value of the field {@code RateLimit} for a client that may come again after so many seconds. */
    String limitField(long seconds) {
        return name() + ";r=0;t=" + seconds;
    }

    private String name() {
        return '"' + this.key.name().toLowerCase(Locale.ROOT) + '"';
    }

    /** Eight digits, the same wherever a rule says the same, and others for another rule. */
    String fingerprint() {
        CRC32 sum = new CRC32();
        String content = this.key + " " + this.paths + " " + this.limit + " " + this.periodNanos + " " + this.burst;
        sum.update(content.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().toHexDigits((int) sum.getValue());
    }
}
