package dev.deadline.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.deadline.Reason;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The timeout of the socket, on databases that have one set: PostgreSQL takes the part of an unknown one here. */
@Timeout(60)
class NetworkTimeoutTests {

    private final JdbcRequests requests = new JdbcRequests();

    // By the method that was called.
    private final Map<String, Integer> timeoutMillis = new ConcurrentHashMap<>();

    @AfterEach
    void close() {
        this.requests.close();
    }

    static List<TestDatabase> databases() {
        return TestDatabase.offered().stream()
                .filter(database -> database != TestDatabase.H2)
                .toList();
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

    /** What a call is given beyond the deadline depends on what it is. */
    @Test
    void isThatOfTheCall() throws Exception {
        try (HikariDataSource pool = unknown(TestDatabase.POSTGRESQL.url())) {
            HikariDataSource dataSource = this.requests.decorated(pool);

            this.requests.request(Duration.ofSeconds(4), scope -> {
                try (Connection connection = dataSource.getConnection()) {
                    connection.setAutoCommit(false);
                    connection.prepareStatement("select 1").close();
                    connection.commit();
                    JdbcRequests.number(connection, "select 1");
                    scope.cancel(Reason.BUDGET_EXHAUSTED);
                    connection.rollback();
                }
                return null;
            });

            assertThat(this.timeoutMillis.get("prepareStatement")).isBetween(150, 4_200);
            assertThat(this.timeoutMillis.get("commit")).isBetween(5_000, 9_100);
            assertThat(this.timeoutMillis.get("rollback")).isBetween(1, 1_150);
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.getNetworkTimeout()).isZero();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void finishesCommitThatTakesLongerThanTheGrace(TestDatabase database) throws Exception {
        createTable(database);
        try (FreezableNetwork network = new FreezableNetwork("127.0.0.1", database.port());
                HikariDataSource pool = unknown(database.urlAt(network.port()))) {
            HikariDataSource dataSource = this.requests.decorated(pool);

            this.requests.request(Duration.ofSeconds(1), scope -> {
                try (Connection connection = dataSource.getConnection();
                        Statement statement = connection.createStatement()) {
                    connection.setAutoCommit(false);
                    statement.execute("insert into written values (1)");
                    network.freeze();
                    scope.onCancel(reason -> this.requests
                            .engine
                            .engine()
                            .schedule(
                                    Duration.ofMillis(4 * JdbcRequests.GRACE_MILLIS)
                                            .toNanos(),
                                    network::thaw));
                    connection.commit();
                }
                return null;
            });

            assertThat(JdbcRequests.number(dataSource, "select count(*) from written"))
                    .isEqualTo(1);
        }
    }

    /** Cutting the connection hangs on MariaDB then. */
    @ParameterizedTest
    @MethodSource("databases")
    void endsTidyingUpOverDarkNetwork(TestDatabase database) throws Exception {
        createTable(database);
        try (FreezableNetwork network = new FreezableNetwork("127.0.0.1", database.port());
                HikariDataSource pool = unknown(database.urlAt(network.port()))) {
            HikariDataSource dataSource = this.requests.decorated(pool);
            long[] start = new long[1];

            this.requests.request(Duration.ofSeconds(30), scope -> {
                try (Connection connection = dataSource.getConnection();
                        Statement statement = connection.createStatement()) {
                    connection.setAutoCommit(false);
                    statement.execute("insert into written values (1)");
                    network.freeze();
                    scope.cancel(Reason.BUDGET_EXHAUSTED);
                    start[0] = System.nanoTime();
                }
                return null;
            });

            assertThat(Duration.ofNanos(System.nanoTime() - start[0])).isLessThan(Duration.ofSeconds(4));
            network.thaw();
            assertThat(JdbcRequests.number(dataSource, "select count(*) from written"))
                    .isZero();
        }
    }

    private static void createTable(TestDatabase database) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("drop table if exists written");
            statement.execute("create table written (id int)");
        }
    }

    // A pool of connections that do not say what database they are of, unless it is one of those that are concerned.
    private HikariDataSource unknown(String url) {
        HikariDataSource pool = new HikariDataSource();
        pool.setMaximumPoolSize(1);
        pool.setDataSource(new DriverManagerDataSource(url) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection driver = DriverManager.getConnection(url);
                return seen(Connection.class, driver, driver);
            }
        });
        return pool;
    }

    private <T> T seen(Class<T> type, T target, Connection driver) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, args) -> answer(method, target, args, driver)));
    }

    private Object answer(Method method, Object target, Object[] args, Connection driver) throws Throwable {
        if (method.getName().equals("getURL") && driver.isWrapperFor(org.postgresql.PGConnection.class)) {
            return "jdbc:unknown:";
        }
        if (target == driver) {
            this.timeoutMillis.put(method.getName(), driver.getNetworkTimeout());
        }
        try {
            Object answer = method.invoke(target, args);
            return (answer instanceof DatabaseMetaData metaData)
                    ? seen(DatabaseMetaData.class, metaData, driver)
                    : answer;
        } catch (InvocationTargetException ex) {
            throw ex.getTargetException();
        }
    }
}
