package dev.deadline.sample.home;

/** How long the database is to take: {@code ok} or {@code slow}, which is minutes. */
public record QuerySpeed(boolean isSlow) {

    /**
     * Reads the written form, for parameters of controllers.
     *
     * @throws IllegalArgumentException if it is neither
     */
    public static QuerySpeed valueOf(String text) {
        return switch (text) {
            case "ok" -> new QuerySpeed(false);
            case "slow" -> new QuerySpeed(true);
            default -> throw new IllegalArgumentException("Not a speed");
        };
    }
}
