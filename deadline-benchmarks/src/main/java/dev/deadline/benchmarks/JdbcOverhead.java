package dev.deadline.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.deadline.jdbc.DataSourceDecorator;
import dev.deadline.jdbc.JdbcDeadlines;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

/**
 * What a deadline adds to a small query on PostgreSQL over the loopback interface: a connection from the pool, a
 * prepared statement, one row, and back.
 *
 * <pre>
 * java -cp deadline-benchmarks/target/benchmarks.jar dev.deadline.benchmarks.JdbcOverhead
 * </pre>
 */
public final class JdbcOverhead {

    private JdbcOverhead() {}

    public static void main(String[] args) throws Exception {
        LoggingSystem.get(JdbcOverhead.class.getClassLoader()).setLogLevel("ROOT", LogLevel.WARN);
        try (EmbeddedPostgres server = EmbeddedPostgres.start();
                HikariDataSource pool = pool(server);
                OpenRequest request = new OpenRequest();
                JdbcDeadlines deadlines = new JdbcDeadlines(request.engine())) {
            DataSource bounded = new DataSourceDecorator(() -> deadlines).decorate(pool, "pool", true);
            System.out.println("PostgreSQL: " + new PairedRun(200, 200).compare(() -> read(pool), () -> read(bounded)));
        }
    }

    private static HikariDataSource pool(EmbeddedPostgres server) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl("jdbc:postgresql://127.0.0.1:" + server.getPort() + "/postgres?user=postgres&sslmode=disable");
        return pool;
    }

    private static String read(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("select typname from pg_type where typname = ?")) {
            statement.setString(1, "int4");
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? rows.getString(1) : "";
            }
        }
    }
}
