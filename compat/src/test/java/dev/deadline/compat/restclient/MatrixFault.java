package dev.deadline.compat.restclient;

/** The ways of the matrix in which an upstream keeps a call waiting. */
enum MatrixFault {
    SILENT("silent", "/silent"),
    DRIPPING("dripping", "/drip"),
    DRIPPING_LENGTH("dripping, known length", "/drip-fixed"),
    UNCONNECTABLE("unconnectable", "/"),
    TLS_STALLED("TLS stalled", "/"),
    POOL("pool exhausted", "/ok"),
    REDIRECT("endless redirect", "/redirect-slowly");

    private final String label;

    private final String path;

    MatrixFault(String label, String path) {
        this.label = label;
        this.path = path;
    }

    String label() {
        return this.label;
    }

    String path() {
        return this.path;
    }
}
