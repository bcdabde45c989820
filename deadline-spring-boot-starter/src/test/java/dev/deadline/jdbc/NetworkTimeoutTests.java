package dev.deadline.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The timeout of the socket, on databases that have one set. */
@Timeout(60)
class NetworkTimeoutTests {

    private final JdbcRequests requests = new JdbcRequests();

    @AfterEach
    void close() {
        this.requests.close();
    }

    /** The driver of HSQLDB says that it has none, which HikariCP would take for a broken connection. */
    @Test
    void isDoneWithoutWhereTheDriverHasNone() throws Exception {
        try (HikariDataSource pool = JdbcRequests.pool("jdbc:hsqldb:mem:timeout", 1)) {
            HikariDataSource dataSource = this.requests.decorated(pool);
            String session = "call session_id()";
            int before = JdbcRequests.number(dataSource, session);

            int inside = this.requests.request(Duration.ofSeconds(30), scope -> {
                try (Connection connection = dataSource.getConnection();
                        Statement statement = connection.createStatement()) {
                    statement.execute("create table written (id int)");
                    connection.setAutoCommit(false);
                    statement.execute("insert into written values (1)");
                    connection.commit();
                    return JdbcRequests.number(connection, session);
                }
            });

            assertThat(inside).isEqualTo(before);
            assertThat(JdbcRequests.number(dataSource, session)).isEqualTo(before);
            assertThat(JdbcRequests.number(dataSource, "select id from written"))
                    .isEqualTo(1);
        }
    }
}
