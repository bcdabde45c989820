package dev.deadline.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** By what a statement is known to have been ended by its cancel, so that this cannot hit the next one any more. */
@Timeout(60)
class DatabaseKindTests {

    @ParameterizedTest
    @CsvSource({
        "POSTGRESQL, 57014, 0, true",
        "H2, 57014, 57014, true",
        "MARIADB, 70100, 1317, true",
        // max_statement_time
        "MARIADB, 70100, 1969, false",
        "MARIADB, HY000, 3024, false",
        "OTHER, 70100, 0, true",
        "OTHER, HY000, 0, false"
    })
    void tellsCancelFromOtherEnds(DatabaseKind database, String state, int code, boolean cancelled) {
        SQLException failure = new SQLTimeoutException("ended", state, code);

        assertThat(database.isCancelled(failure)).isEqualTo(cancelled);
    }

    @Test
    void takesNothingElseForACancel() {
        assertThat(DatabaseKind.MARIADB.isCancelled(null)).isFalse();
        assertThat(DatabaseKind.H2.isCancelled(new IllegalStateException())).isFalse();
    }

    /** The driver of MariaDB implements query timeouts by max_statement_time. */
    @Test
    @EnabledIfSystemProperty(named = "deadline.test.mariadb", matches = ".+")
    void tellsCancelFromQueryTimeoutOfMariaDb() throws Exception {
        String endless = "select count(*) from seq_1_to_100000000 a, seq_1_to_1000 b";
        try (Connection connection = TestDatabase.MARIADB.connect();
                Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(1);
            SQLException timeout = catchThrowableOfType(SQLException.class, () -> statement.executeQuery(endless));
            assertThat(DatabaseKind.MARIADB.isCancelled(timeout)).isFalse();

            statement.setQueryTimeout(20);
            CompletableFuture<Void> cancel = CompletableFuture.runAsync(
                    () -> {
                        try {
                            statement.cancel();
                        } catch (SQLException ex) {
                            throw new IllegalStateException(ex);
                        }
                    },
                    CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS));
            SQLException cancelled = catchThrowableOfType(SQLException.class, () -> statement.executeQuery(endless));
            assertThat(DatabaseKind.MARIADB.isCancelled(cancelled)).isTrue();
            cancel.get(20, TimeUnit.SECONDS);
        }
    }
}
