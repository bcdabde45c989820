package dev.deadline.compat.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.deadline.Deadline;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MongoTests {

    private static final Duration OWN = Duration.ofMillis(500);

    private static final Document PING = new Document("ping", 1);

    @ParameterizedTest
    @MethodSource("dev.deadline.compat.clients.Threads#available")
    void waitForAServerEndsByTheInterrupt(Threads threads) throws Exception {
        try (SilentServer silent = new SilentServer();
                MongoClient client = MongoClients.create("mongodb://localhost:" + silent.port())) {
            CutCall.of(threads, () -> client.getDatabase("test").runCommand(PING))
                    .assertBackAtTheDeadline();
        }
    }

    @EnabledIfSystemProperty(named = "deadline.slow-tests", matches = "true")
    @ParameterizedTest
    @MethodSource("dev.deadline.compat.clients.Threads#available")
    void commandIgnoresInterruptsOnPlatformThreads(Threads threads) throws Exception {
        try (FakeMongo server = new FakeMongo();
                MongoClient client = MongoClients.create(
                        "mongodb://localhost:" + server.port() + "/?socketTimeoutMS=" + OWN.toMillis())) {
            MongoDatabase database = client.getDatabase("test");
            database.runCommand(PING);
            server.silent(true);
            CutCall.of(threads, () -> database.runCommand(PING)).assertBackAfterUnlessVirtual(OWN, threads);
            await().until(() -> server.closed() == 1);
            server.silent(false);
            assertThat(database.runCommand(PING)).containsEntry("ok", 1.0);
        }
    }

    /** As on the page. */
    @ParameterizedTest
    @MethodSource("dev.deadline.compat.clients.Threads#available")
    void commandIsCutByATimeoutOfItsOwn(Threads threads) throws Exception {
        try (FakeMongo server = new FakeMongo();
                MongoClient client = MongoClients.create("mongodb://localhost:" + server.port())) {
            MongoDatabase database = client.getDatabase("test");
            database.runCommand(PING);
            server.silent(true);
            CutCall.of(threads, () -> {
                        // A little more than is left, so that the deadline comes first and is the reason.
                        long limit = Deadline.current().remaining().toMillis() + 10;
                        return database.withTimeout(limit, TimeUnit.MILLISECONDS)
                                .runCommand(PING);
                    })
                    .assertBackAtTheDeadline();
            await().until(() -> server.closed() == 1);
            server.silent(false);
            assertThat(database.runCommand(PING)).containsEntry("ok", 1.0);
        }
    }
}
