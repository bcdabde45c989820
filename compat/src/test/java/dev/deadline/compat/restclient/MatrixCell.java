package dev.deadline.compat.restclient;

/**
 * What one cell of the matrix came to, in whole milliseconds past the deadline.
 *
 * @param caller when the caller had its thread back
 * @param upstream when the upstream saw its connection closed; {@link #NONE} if it had none, {@link #OPEN} if that was
 *     not within a second
 */
record MatrixCell(long caller, long upstream) {

    static final long NONE = -1000;

    static final long OPEN = Long.MAX_VALUE;

    static final long CALLER_LIMIT = 50;

    static final long UPSTREAM_LIMIT = 100;

    /** As it stands on the page. */
    String text() {
        String end = (this.upstream == NONE) ? "–" : (this.upstream == OPEN) ? "open" : String.valueOf(this.upstream);
        return this.caller + " / " + end;
    }

    static MatrixCell parse(String text) {
        String[] parts = text.split(" / ");
        long upstream = switch (parts[1]) {
            case "–" -> NONE;
            case "open" -> OPEN;
            default -> Long.parseLong(parts[1]);
        };
        return new MatrixCell(Long.parseLong(parts[0]), upstream);
    }

    /** What has to stay as it is on the page, whatever the machine. */
    String verdict() {
        String end = (this.upstream == NONE) ? "none" : (this.upstream <= UPSTREAM_LIMIT) ? "closed" : "open";
        return ((this.caller <= CALLER_LIMIT) ? "released" : "held") + ", connection " + end;
    }
}
