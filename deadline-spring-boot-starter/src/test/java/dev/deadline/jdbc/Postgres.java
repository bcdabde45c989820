package dev.deadline.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;

/** One PostgreSQL for all tests of this JVM; it ends with it. */
final class Postgres {

    private static final EmbeddedPostgres SERVER = start();

    private Postgres() {}

    private static EmbeddedPostgres start() {
        try {
            return EmbeddedPostgres.builder()
                    .setServerConfig("fsync", "off")
                    .setServerConfig("synchronous_commit", "off")
                    .start();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    static int port() {
        return SERVER.getPort();
    }

    static String url() {
        return urlAt(port());
    }

    static String urlAt(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&sslmode=disable";
    }
}
