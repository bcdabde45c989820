package dev.deadline.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.deadline.Reason;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Section;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Path;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One interrupt inside H2 closes a whole database in a file, whatever it was asked for. */
@Timeout(60)
class DriverInterruptTests {

    private static final int LARGE = 2_000_000;

    private final JdbcRequests requests = new JdbcRequests();

    @TempDir
    Path directory;

    /** What a thread does that is interrupted, in each case something that goes to the file. */
    enum Use {
        BYTES(rows -> rows.getBytes("picture")),
        TEXT(rows -> rows.getString("story")),
        STREAM(rows -> read(rows.getBinaryStream("picture"))),
        READER(rows -> read(rows.getCharacterStream("story"))),
        BLOB(rows -> rows.getBlob("picture").getBytes(1, LARGE)),
        BLOB_AS_OBJECT(rows -> ((Blob) rows.getObject("picture")).getBytes(1, LARGE)),
        BLOB_STREAM(rows -> read(rows.getBlob("picture").getBinaryStream())),
        CLOB(rows -> rows.getClob("story").getSubString(1, LARGE)),
        CLOB_READER(rows -> read(rows.getClob("story").getCharacterStream())),
        NEW_BLOB(rows -> {
            Blob made = rows.getStatement().getConnection().createBlob();
            try (OutputStream out = made.setBinaryStream(1)) {
                out.write(new byte[LARGE]);
            }
            return made;
        }),
        NEW_CLOB(rows -> {
            Clob made = rows.getStatement().getConnection().createClob();
            try (Writer out = made.setCharacterStream(1)) {
                out.write("x".repeat(LARGE));
            }
            return made;
        }),
        VALIDITY(rows -> rows.getStatement().getConnection().isValid(1));

        private final Work work;

        Use(Work work) {
            this.work = work;
        }

        private interface Work {

            Object on(ResultSet rows) throws Exception;
        }

        private static Object read(InputStream from) throws Exception {
            try (from) {
                return from.readAllBytes();
            }
        }

        private static Object read(Reader from) throws Exception {
            try (from) {
                return from.transferTo(Writer.nullWriter());
            }
        }
    }

    @AfterEach
    void close() {
        this.requests.close();
    }

    @ParameterizedTest
    @EnumSource
    void doesNotReachDriver(Use use) throws Exception {
        String url = "jdbc:h2:file:" + this.directory.resolve("pictures");
        fill(url);
        // The cache is empty, so that everything comes from the file.
        try (HikariDataSource pool = JdbcRequests.pool(url, 1)) {
            DataSource dataSource = this.requests.decorated(pool);

            this.requests.request(Duration.ofSeconds(30), scope -> {
                try (Connection connection = dataSource.getConnection();
                        Statement statement = connection.createStatement();
                        ResultSet rows = statement.executeQuery("select picture, story from page")) {
                    rows.next();
                    try (Section section = DeadlineEngine.interruptible()) {
                        scope.cancel(Reason.CLIENT_ABORT);
                        await().until(Thread.currentThread()::isInterrupted);
                        use.work.on(rows);
                        assertThat(Thread.currentThread().isInterrupted()).isTrue();
                    }
                }
                return null;
            });

            assertThat(JdbcRequests.number(dataSource, "select count(*) from page where length(picture) > 0"))
                    .isEqualTo(1);
        }
    }

    private static void fill(String url) throws Exception {
        try (HikariDataSource pool = JdbcRequests.pool(url, 1);
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                PreparedStatement insert = prepared(connection, statement)) {
            insert.setBytes(1, new byte[LARGE]);
            insert.setString(2, "x".repeat(LARGE));
            insert.executeUpdate();
        }
    }

    private static PreparedStatement prepared(Connection connection, Statement statement) throws Exception {
        statement.execute("create table page (picture blob, story clob)");
        return connection.prepareStatement("insert into page values (?, ?)");
    }
}
