package dev.deadline.sample.upstream;

import java.time.Duration;
import java.util.Locale;

/**
 * How an upstream is to answer: {@code ok}, {@code slow:<ms>}, {@code hang}, {@code drip}, {@code error},
 * {@code refuse}, or {@code revoked}, which says something only to the upstream that looks up revocations.
 *
 * @param delay before the answer; zero unless slow
 */
public record Behaviour(Kind kind, Duration delay) {

    private static final String SLOW = "slow:";

    enum Kind {
        OK,
        SLOW,
        HANG,
        DRIP,
        ERROR,
        REFUSE,
        REVOKED;

        String written() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Reads the written form, for parameters of controllers too.
     *
     * @throws IllegalArgumentException if it is none of those above, or slower than a minute
     */
    public static Behaviour valueOf(String text) {
        if (text.matches(SLOW + "[0-9]{1,5}")) {
            Duration delay = Duration.ofMillis(Integer.parseInt(text.substring(SLOW.length())));
            if (delay.compareTo(Duration.ofMinutes(1)) <= 0) {
                return new Behaviour(Kind.SLOW, delay);
            }
        }
        for (Kind kind : Kind.values()) {
            if (kind != Kind.SLOW && kind.written().equals(text)) {
                return new Behaviour(kind, Duration.ZERO);
            }
        }
        throw new IllegalArgumentException("Not a behaviour");
    }

    @Override
    public String toString() {
        return (this.kind == Kind.SLOW) ? SLOW + this.delay.toMillis() : this.kind.written();
    }
}
