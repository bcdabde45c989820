package dev.deadline.jdbc;

/**
 * What one cell of the matrix came to, in whole milliseconds past the deadline.
 *
 * @param caller when the caller had its thread back
 * @param server when the statement was gone from the server; {@link #NONE} if there was none that could be told to go
 */
record MatrixCell(long caller, long server) {

    static final long NONE = -1000;

    private static final long SERVER_LIMIT = 500;

    /** As it stands on the page. */
    String text() {
        return this.caller + " / " + (this.server == NONE ? "–" : String.valueOf(this.server));
    }

    static MatrixCell parse(String text) {
        String[] parts = text.split(" / ");
        return new MatrixCell(Long.parseLong(parts[0]), parts[1].equals("–") ? NONE : Long.parseLong(parts[1]));
    }

    /** What has to stay as it is on the page, whatever the machine. */
    String verdict(long callerLimit) {
        String end = (this.server == NONE) ? "none" : (this.server <= SERVER_LIMIT) ? "gone" : "running";
        return ((this.caller <= callerLimit) ? "released" : "held") + ", statement " + end;
    }

    /** As it would have been on a machine that had done nothing else meanwhile. */
    MatrixCell without(long hiccupMillis) {
        return new MatrixCell(
                Math.max(0, this.caller - hiccupMillis),
                (this.server == NONE) ? NONE : Math.max(0, this.server - hiccupMillis));
    }
}
